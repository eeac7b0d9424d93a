"""A decision rule without its cases: decides other files, and leaves as SQL, Python and SAS."""

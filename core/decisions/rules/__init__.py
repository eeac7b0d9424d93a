"""A decision rule without its cases: decides other files, leaves as code and as a workbook."""

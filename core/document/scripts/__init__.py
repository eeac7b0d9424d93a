"""A project as a Python script: how records and commands are written, and which say a document."""

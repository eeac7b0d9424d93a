"""Delimited text: encoding, dialect, header and types, read as a stream; faults by their line."""

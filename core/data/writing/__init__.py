"""Tables written as CSV, Parquet or workbooks, all or nothing."""

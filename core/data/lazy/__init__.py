"""Large Parquet files as tables whose columns are read when they are needed."""

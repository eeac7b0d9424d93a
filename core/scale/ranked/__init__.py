"""Rankings of more scores than memory holds: counted by bucket, spilled by range, put together."""

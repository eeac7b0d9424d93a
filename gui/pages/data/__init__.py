"""Page Data: what was read, what each column is for, which rows count."""

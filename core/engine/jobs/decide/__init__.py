"""The jobs of page Decide that write a file or read one; what it asks is core.assembly.decide."""

"""The operations, one file for each family."""

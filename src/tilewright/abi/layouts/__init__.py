"""The declarations: one file per family of structures."""

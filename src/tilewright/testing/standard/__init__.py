"""Valid modules of the standard dialects."""

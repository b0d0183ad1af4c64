"""Many files at once, on any executor."""

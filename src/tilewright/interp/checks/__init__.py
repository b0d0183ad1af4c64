"""The run-time checks."""

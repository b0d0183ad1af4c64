"""A kernel as a whole: its function, control flow, run-time context, prints and description."""

"""Custom syntax, where assembly formats do not say it."""

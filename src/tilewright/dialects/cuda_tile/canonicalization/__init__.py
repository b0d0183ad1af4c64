"""The canonicalisation patterns."""

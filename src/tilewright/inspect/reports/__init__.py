"""Inspections as JSON, as HTML, and as text."""

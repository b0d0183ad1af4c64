"""The declarative assembly format: its specification, and how it prints and parses."""

"""Elementwise operations: of dialects that `tt` shares with others, of `tt` itself, and functions called by name."""

"""Conversions of layouts: how elements get to other threads, and tiles that are made where they are wanted."""

"""Threads that run tile blocks."""

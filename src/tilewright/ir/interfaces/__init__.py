"""Interfaces and capabilities: how code asks operations of unknown classes."""

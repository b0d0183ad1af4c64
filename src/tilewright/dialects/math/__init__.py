"""The ``math`` dialect: elementary functions."""

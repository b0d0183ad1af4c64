"""The rules of operations that their declarations cannot state."""

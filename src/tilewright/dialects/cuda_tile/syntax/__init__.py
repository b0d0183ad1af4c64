"""Custom syntax, and the text of disassemblies."""

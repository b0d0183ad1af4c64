"""The rules of operations beyond the types of single operands."""

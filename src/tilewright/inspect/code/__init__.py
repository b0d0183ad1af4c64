"""Analysis of machine code: starts of functions, the addresses they mention, their purposes."""

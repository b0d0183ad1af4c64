"""The checks of the interpreter at run time."""

"""The tables of instructions: one row for each class of operation."""

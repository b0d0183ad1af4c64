"""The tables of instructions for the dialect `llvm`: one row for each class of operation."""

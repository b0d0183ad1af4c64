"""The tables of instructions for the dialect `nvvm`: one row for each class of operation."""

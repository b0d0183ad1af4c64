"""PyTorch with the behaviour of a machine with a GPU."""

"""PyTorch, as it answers on a machine with a GPU."""

"""The body of a kernel for GPUs: each thread computes the elements that it holds."""

"""The plan of a kernel: how many warps a block has, by what its threads hold."""

"""The code of matrix products: register blocks, packed factors and partial sums."""

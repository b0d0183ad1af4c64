"""Matrix products: blocks in registers, packed factors, partial sums, the instructions of the processor."""

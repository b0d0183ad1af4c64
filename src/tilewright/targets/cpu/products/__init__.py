"""Matrix products: register blocks, packed factors, partial sums, and the product instructions of the
processor.
"""

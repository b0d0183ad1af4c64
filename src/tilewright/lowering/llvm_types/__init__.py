"""The type converter to `llvm`, with the forms of tile types, tokens, address spaces and memref descriptors."""

"""The one type converter to `llvm` and what it knows: tile types, tokens, address spaces, memref descriptors."""

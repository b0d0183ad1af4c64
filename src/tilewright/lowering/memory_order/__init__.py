"""The memory accesses that must stay in order: by their tokens, and by the memory they may touch."""

"""Which memory accesses must stay in order: by their tokens, and by the places they may touch."""

"""Machine code of GPUs as a model: instructions, control words, blocks, loops, and their statistics."""

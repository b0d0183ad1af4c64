"""What is computed together in one loop nest, what lies in memory, and in which order: decided before any code is made."""

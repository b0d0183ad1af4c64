"""What the other rooms stand on, and what knows no IR."""

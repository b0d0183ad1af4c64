"""What machine code tells: where functions begin, what they mention, what they are for."""

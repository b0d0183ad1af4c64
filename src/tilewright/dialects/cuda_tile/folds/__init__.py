"""What operations fold to."""

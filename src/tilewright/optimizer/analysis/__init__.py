"""What is known of the values of a Tile IR program before it runs: bounds, divisibility, runs, and where pointers point."""

"""Facts about values of a Tile IR program before it runs: bounds, divisibility, runs, and targets of pointers."""

"""The plan of a kernel as data, and its text. Code is emitted according to a plan, and decides nothing."""

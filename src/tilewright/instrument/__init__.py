"""Run-time checks as operations of Tile IR, inserted into a program."""

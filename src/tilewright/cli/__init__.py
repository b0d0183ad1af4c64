"""The command line of tilewright."""

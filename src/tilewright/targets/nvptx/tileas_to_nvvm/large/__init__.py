"""Tiles that exceed the registers of threads, and factors of products that exceed shared memory."""

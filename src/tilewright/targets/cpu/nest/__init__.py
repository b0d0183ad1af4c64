"""Loop nests over the elements of tiles, and how the elements of every operation are computed at a point of one."""

"""Facts about the accesses of a kernel in TileAS form, for the targets that plan them."""

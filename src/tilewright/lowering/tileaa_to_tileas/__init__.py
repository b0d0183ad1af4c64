"""`nv_tileaa` to `nv_tileas`: bodies of functions (`bodies`), and descriptors that the host makes (`descriptors`)."""

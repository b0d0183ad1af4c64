"""The ``nv_tileaa`` dialect: tile programs with explicit memory objects and alias information."""

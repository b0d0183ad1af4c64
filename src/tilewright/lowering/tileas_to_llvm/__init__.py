"""`nv_tileas` to `llvm`: the function boundary, and the phases that bodies go through with the back end of a target."""

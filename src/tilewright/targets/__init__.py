"""Back ends, which generate machine code from the `llvm` dialect (`llvm`, `elements`, `cpu`)."""

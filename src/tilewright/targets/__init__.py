"""Back ends: what turns the `llvm` dialect into code for a machine (`llvm`, `elements`, `cpu`)."""

"""Back ends: what turns the `llvm` dialect into code for a machine (`llvm_ir`, `cpu`)."""

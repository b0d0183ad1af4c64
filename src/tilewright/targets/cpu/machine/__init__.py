"""The processor that code is made for, and LLVM: features, assembly, objects, a process of its own for foreign text."""

"""Commands about code for GPUs: PTX, its simulator, machine code, layouts."""

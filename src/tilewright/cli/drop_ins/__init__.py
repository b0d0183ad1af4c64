"""Commands with the names and the command lines of NVIDIA's tools, for programs that call those."""

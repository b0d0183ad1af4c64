"""PTX to machine code of NVIDIA's GPUs, and back to text, by the tools that a machine has.

None of them is needed for anything else; each runs in a process of its own.
"""

"""The GPU back end, and the tools of the machine that assemble PTX and disassemble machine code.

Compilation needs none of these tools; each tool runs in a process of its own.
"""

"""The table of instructions: the names, the forms, and their minimum versions.

Parser, printer, checks and simulator use it. Each chapter of NVIDIA's PTX ISA is a file.
"""

from __future__ import annotations

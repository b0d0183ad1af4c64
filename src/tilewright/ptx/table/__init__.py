"""The one table of instructions: what each is called, its forms, and since when there are such.

Parser, printer, checks and simulator read it; the rows stand in one file for each chapter of NVIDIA's PTX ISA.
"""

from __future__ import annotations

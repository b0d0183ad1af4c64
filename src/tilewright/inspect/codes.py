"""Diagnostic codes of looking into binaries (TW1050-TW1149)."""

from __future__ import annotations

from tilewright.ir.codes import code

UNREADABLE_BINARY = code(
    1050,
    "binary cannot be read",
    "The file does not exist, may not be read, or is empty. Check the path and the permissions.",
)
NOT_AN_IMAGE = code(
    1051,
    "neither an ELF file nor a raw image",
    "The file does not start with the four bytes of an ELF file. To look at a raw image, give `--raw`, with `--base` "
    "for the address of its first byte and `--code` for the ranges that hold code.",
)
MALFORMED_ELF = code(
    1052,
    "malformed ELF file",
    "A header or table of the file points outside of it, or contradicts another one. What could be read in spite of it "
    "is shown; everything that depends on the broken part is left out.",
)
UNSUPPORTED_ELF = code(
    1053,
    "kind of ELF file that is not analysed",
    "Structures are looked for in 64-bit little-endian images with addresses: executables, shared libraries and core "
    "dumps. Of other files (32-bit, big-endian, relocatable objects) only the header and the sections are shown. Link "
    "a relocatable object into a shared library first.",
)
NO_CODE_ANALYSIS = code(
    1054,
    "code of this machine is not analysed",
    "Instruction patterns are known for x86-64 only. Findings that rest on data alone are still made; names of "
    "registered operations and dialects, constructor roles and mask sites are not.",
)
BAD_RANGE = code(
    1055,
    "address range does not fit the image",
    "A range is written START:END or START+SIZE, with numbers in decimal or, after 0x, hexadecimal; it must lie inside "
    "the image.",
)
NOT_A_CUBIN = code(
    1056,
    "not a cubin",
    "The file is no ELF file for NVIDIA's GPUs (machine 190). A fat binary or a host program holds cubins inside; "
    "extract one first.",
)
MALFORMED_CUBIN = code(
    1057,
    "malformed cubin metadata",
    "A record of the kernel metadata (`.nv.info`), of the line table or of the embedded text is cut short or contradicts "
    "its size. Records before it are shown.",
)
UNREAD_LISTING = code(
    1058,
    "part of a listing of machine code is not understood",
    "The disassembler printed lines in a form that is not known, as a newer one may. Instructions of these lines are "
    "missing from the figures. Another version of `nvdisasm` may help; please report the line.",
)

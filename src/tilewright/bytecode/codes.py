"""Diagnostic codes of the bytecode reader and writer (TW0300 to TW0399)."""

from __future__ import annotations

from tilewright.ir.codes import code

NOT_BYTECODE = code(
    300,
    "not Tile IR bytecode",
    "The file does not start with the eight magic bytes 7F 54 69 6C 65 49 52 00. If it is text, read it as text; "
    "if it is a cubin or PTX, it has already been compiled.",
)
UNSUPPORTED_VERSION = code(
    301,
    "unsupported bytecode version",
    "The header names a version that this reader does not know. Write the file for a version in the range that the "
    "message lists, or use a newer tilewright.",
)
MALFORMED_HEADER = code(
    302,
    "malformed header",
    "The twelve bytes at the start of the file are cut short or set bits that have no meaning.",
)
PREVIEW = code(
    303,
    "preview feature",
    "The file uses the preview range of Tile IR, whose meaning may change from release to release. Of "
    "that range calls of SIMT functions are read (`--preview=simt`), printed and written, but cannot "
    "be run: the called functions are in a library that only NVIDIA's tileiras links. Write the module "
    "without preview features.",
)
MALFORMED_SECTION = code(
    304,
    "malformed section",
    "A section has an unknown number, a length or an alignment that cannot be, or is missing. The file is damaged "
    "or was not written by a Tile IR writer.",
)
TRUNCATED = code(
    305,
    "unexpected end of data",
    "The file, a section, a table entry or a function body ends in the middle of an item. Most often the file was "
    "cut; a wrong length or start offset looks the same.",
)
INVALID_INDEX = code(
    306,
    "index out of bounds",
    "A string, type, constant, operand or debug attribute is named by a number that its table does not have. "
    "Operands may name only values that are defined before, in this block or an enclosing one.",
)
INVALID_TABLE = code(
    307,
    "malformed table",
    "The number of entries or the start offsets of a table do not fit its section.",
)
INVALID_TYPE = code(
    308,
    "malformed type",
    "An entry of the type table has an unknown tag, refers to itself, or its parameters are not legal together.",
)
INVALID_CONSTANT = code(
    309,
    "malformed constant",
    "The bytes of a constant do not fit the tile type they are used with: neither one element (a splat) nor all. "
    "i1 elements are packed eight to a byte, tf32 elements take three bytes, 4-bit elements one byte each.",
)
INVALID_ATTRIBUTE = code(
    310,
    "malformed attribute",
    "An attribute has an unknown tag or enum value, or its value does not fit its type.",
)
INVALID_OPERATION = code(
    311,
    "malformed operation",
    "An operation has an unknown opcode, or a number of results, operands, regions or blocks that it cannot have.",
)
NOT_IN_VERSION = code(
    312,
    "not available in this bytecode version",
    "The file uses an operation, a type or an enum value that is younger than the version in its header. The writer "
    "is at fault; write the file for the version that the message names.",
)
INVALID_FUNCTION = code(
    313,
    "malformed function",
    "An entry of the function table has no name, an unknown flag, a signature that is no function type, or hints "
    "of the wrong kind.",
)
INVALID_GLOBAL = code(
    314,
    "malformed global",
    "An entry of the global table has no name or an unknown visibility.",
)
INVALID_DEBUG_INFO = code(
    315,
    "malformed debug information",
    "A debug attribute is of the wrong kind, refers to itself, or sets unknown flags.",
)
LIMIT = code(
    316,
    "input exceeds a limit of the reader",
    "The file nests deeper, or shares bytes between more table entries, than any real program does. The limits keep "
    "reading time and memory in proportion to the size of the file.",
)

TOO_OLD = code(
    317,
    "the bytecode version is too old for the module",
    "Bytecode of an older version cannot hold an operation, a type, an enum value or an attribute of the module, which "
    "came with the version that the message names. Write that version or a newer one, or leave the version out: then "
    "the oldest one that holds the module is written. Values that mean the same as leaving them out are no obstacle.",
)
NOT_REPRESENTABLE = code(
    318,
    "bytecode cannot hold this",
    "No version of bytecode has a place for this: an operation of another dialect, an attribute that the operation "
    "does not declare, a location of a kind that is not stored, a number that is too large, or a structure that the "
    "verifier would refuse. Lower or remove it before writing; `tilewright explain OP` shows what an operation holds.",
)

WRITE_HINTS = {
    TOO_OLD: "write bytecode version {version} or newer",
    NOT_REPRESENTABLE: "lower or remove it before writing; if it should not be there at all, verify the module",
}
"""The hint of a diagnostic of the writer, by its code."""
HINTS = {
    NOT_BYTECODE: "the file may be MLIR text, or be compiled already",
    UNSUPPORTED_VERSION: "write the file for one of the supported versions",
    PREVIEW: "name the feature (`--preview=simt`), or write the module without preview features",
    NOT_IN_VERSION: "write the file for a newer bytecode version",
    TRUNCATED: "check that the file is complete",
}
"""The hint of a diagnostic of the reader, by its code."""

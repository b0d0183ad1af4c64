"""Operations, their trailing storage, and what hangs on them: operands, results, regions, blocks, kinds."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.abi.layout import (
    I64,
    POINTER_SIZE,
    U8,
    U32,
    U64,
    AbiLayout,
    Bits,
    Embedded,
    LayoutField,
    Profile,
    RawBytes,
    Struct,
    bit_field,
    both,
    pointer,
    view,
)
from tilewright.abi.layouts.containers import STRING_REF, THREE_POINTER_VECTOR, UPSTREAM_MAP

FAMILY = "operations"
HERE = "chosen here"
_SOURCE = "MLIR Operation Layout"
_MLIR = "MLIR 22: Operation.h"

OPERAND_COUNT_MASK = 0x7FFFFFF
"""The mask of 27 bits that is applied to the word at +0x28 to get the operand count."""
RESULT_COUNT_MASK = 0x7FFFFF
"""The mask of 23 bits that is applied to the word at +0x2C to get the result count."""
TRAILING_BASE = 64
"""The offset at which the documented decoder starts its computation, whatever the size of the header."""
FIRST_CELL = 0x50
"""The offset of the first word that points to a result, in images of profile tileiras-13.1."""

OPERATION = Struct(
    "Operation",
    0x48,
    (
        LayoutField("block", 0x00, pointer("Block"), "the block it stands in; null at the top", _SOURCE),
        LayoutField("regions_inline", 0x08, pointer("Region"), "first region; null without regions", _SOURCE),
        LayoutField("parent", 0x10, pointer("Operation"), "enclosing operation", _SOURCE),
        LayoutField(
            "first_use", 0x18, pointer("OpOperand"), "head of the use list of the first result", _SOURCE
        ),
        LayoutField(
            "operand_storage", 0x20, pointer("OpOperand"), "first operand; null without operands", _SOURCE
        ),
        bit_field("num_operands", 0x28, U32, 0, 27, "number of operands", _SOURCE),
        bit_field("operand_flags", 0x28, U32, 27, 5, "flags of the kind", _SOURCE),
        bit_field("num_results", 0x2C, U32, 0, 23, "number of results", _SOURCE),
        bit_field("trailing_result_flag", 0x2C, U32, 23, 1, "adds 16 bytes before the operands", _SOURCE),
        bit_field("num_inline_results", 0x2C, U32, 24, 8, "8-byte cells before the operands", _SOURCE),
        view("flags", 0x2C, U32, "the nine bits above the number of results", _SOURCE, Bits(23, 9)),
        view("trailing_result_byte", 0x2E, U8, "bit 7 is `trailing_result_flag`", _SOURCE),
        view("inline_results_byte", 0x2F, U8, "`num_inline_results`", _SOURCE),
        LayoutField("num_regions", 0x30, U32, "number of regions", HERE),
        LayoutField("num_successors", 0x34, U32, "number of successors", HERE),
        LayoutField("location", 0x38, pointer("Location"), "source location", _SOURCE),
        LayoutField("name", 0x40, pointer("OperationName"), "kind: compare this pointer", _SOURCE),
    ),
    "The fixed header of every operation.",
    "[cells][32 * num_operands OpOperand][24 * num_regions Region][24 * num_successors BlockOperand]"
    "[attribute dictionary pointer]; operands start at "
    "align8(op + 64 + 16 * trailing_result_flag + 8 * num_inline_results)",
    (
        "The notes leave the 8 bytes at +0x30 unnamed and do not say where the numbers of regions and successors are; "
        "images keep them there.",
        "The decoder starts at +64 although the header is 72 bytes long. Images keep both true: operations without "
        "results have one cell, which is the name itself; operations with results set the flag and have their cells from "
        "+0x50 on, each leading to a result.",
        "The links to the neighbours are not described; images keep them in the 16 bytes before the header.",
        "The flags 0x4000000 and 0x40 that the notes place in the upper bits of the operand count are not there: they are "
        "bits 26 and 6. They belong to the code generator's nodes and mean nothing here.",
        "The decoder itself returns 0 when `num_results` is 0. See `mlir-upstream` for what the same "
        "loads mean there.",
    ),
)
UPSTREAM_OPERATION = Struct(
    "Operation",
    0x40,
    (
        LayoutField(
            "previous",
            0x00,
            U64,
            "link to the operation before, or the list's head; bit 2 marks a head",
            _MLIR,
        ),
        LayoutField(
            "next", 0x08, pointer("Operation"), "link to the operation after, or the list's head", _MLIR
        ),
        LayoutField("block", 0x10, pointer("Block"), "the block it stands in; null at the top", _MLIR),
        LayoutField("location", 0x18, pointer("Location"), "source location", _MLIR),
        LayoutField("order_index", 0x20, U32, "rank in the block, 0xFFFFFFFF when not known", _MLIR),
        LayoutField("num_results", 0x24, U32, "number of results, which lie before the header", _MLIR),
        LayoutField("num_successors", 0x28, U32, "number of successors", _MLIR),
        bit_field("num_regions", 0x2C, U32, 0, 23, "number of regions", _MLIR),
        bit_field("has_operand_storage", 0x2C, U32, 23, 1, "16 bytes of operand storage follow", _MLIR),
        bit_field("properties_size", 0x2C, U32, 24, 8, "bytes of properties divided by 8", _MLIR),
        LayoutField(
            "name", 0x30, pointer("OperationName"), "kind; its type id is at +0x10 of the record", _MLIR
        ),
        LayoutField("attributes", 0x38, pointer("DictionaryAttr"), "discardable attributes", _MLIR),
    ),
    "The fixed header of every operation; results lie before it, at negative offsets.",
    "[16 OperandStorage if has_operand_storage][8 * properties_size][32 * num_successors BlockOperand]"
    "[24 * num_regions Region][32 * capacity OpOperand]",
    (
        "Read with these meanings, the decoder of `tileiras-13.1` returns the first region: op + 64 + "
        "16 * flag + 8 * properties, aligned, + 32 * successors.",
    ),
)

OPERATION_LINK = Struct(
    "OperationLink",
    16,
    (
        LayoutField("previous", 0, pointer("Operation"), "operation before, or null", HERE),
        LayoutField("next", 8, pointer("Operation"), "operation after, or null", HERE),
    ),
    "The links of an operation; lies in the 16 bytes before its header.",
)
OP_OPERAND = Struct(
    "OpOperand",
    32,
    (
        LayoutField(
            "value",
            0x00,
            pointer("Value"),
            "the value, tagged in its lowest bit: 1 for a block argument",
            _SOURCE,
        ),
        LayoutField("next", 0x08, pointer("OpOperand"), "next use of the value", _SOURCE),
        LayoutField("previous", 0x10, pointer("OpOperand"), "use before, or null", _SOURCE),
        LayoutField("owner", 0x18, pointer("Operation"), "the operation that has the operand", _SOURCE),
    ),
    "One operand, linked into the use list of its value.",
)
UPSTREAM_OP_OPERAND = Struct(
    "OpOperand",
    32,
    (
        LayoutField("next", 0x00, pointer("OpOperand"), "next use of the value", "MLIR 22: UseDefLists.h"),
        LayoutField(
            "back", 0x08, pointer("OpOperand *"), "the word that points here", "MLIR 22: UseDefLists.h"
        ),
        LayoutField(
            "owner",
            0x10,
            pointer("Operation"),
            "the operation that has the operand",
            "MLIR 22: UseDefLists.h",
        ),
        LayoutField("value", 0x18, pointer("Value"), "the value", "MLIR 22: Value.h"),
    ),
    "One operand, linked into the use list of its value.",
)
BLOCK_OPERAND = Struct(
    "BlockOperand",
    24,
    (
        LayoutField("block", 0x00, pointer("Block"), "the successor", HERE),
        LayoutField("next", 0x08, pointer("BlockOperand"), "next use of the block", HERE),
        LayoutField("owner", 0x10, pointer("Operation"), "the terminator", HERE),
    ),
    "One successor.",
    notes=("The notes give the stride of 24 bytes and no fields. In `mlir-upstream` it is 32.",),
)
UPSTREAM_BLOCK_OPERAND = Struct(
    "BlockOperand",
    32,
    (
        LayoutField("next", 0x00, pointer("BlockOperand"), "next use of the block", "MLIR 22: UseDefLists.h"),
        LayoutField(
            "back", 0x08, pointer("BlockOperand *"), "the word that points here", "MLIR 22: UseDefLists.h"
        ),
        LayoutField("owner", 0x10, pointer("Operation"), "the terminator", "MLIR 22: UseDefLists.h"),
        LayoutField("block", 0x18, pointer("Block"), "the successor", "MLIR 22: BlockSupport.h"),
    ),
    "One successor, linked into the use list of its block.",
)
OPERAND_STORAGE = Struct(
    "OperandStorage",
    16,
    (
        bit_field("capacity", 0x00, U32, 0, 31, "room for operands", "MLIR 22: OperationSupport.h"),
        bit_field(
            "is_dynamic", 0x00, U32, 31, 1, "the operands moved to the heap", "MLIR 22: OperationSupport.h"
        ),
        LayoutField("num_operands", 0x04, U32, "number of operands", "MLIR 22: OperationSupport.h"),
        LayoutField("operands", 0x08, pointer("OpOperand"), "first operand", "MLIR 22: OperationSupport.h"),
    ),
    "Where the operands are.",
)

VALUE = Struct(
    "Value",
    32,
    (
        LayoutField("first_use", 0x00, pointer("OpOperand"), "head of the use list", HERE),
        LayoutField("type", 0x08, pointer("Type"), "type", HERE),
        LayoutField("owner", 0x10, pointer(), "the operation (result) or block (argument)", HERE),
        LayoutField("index", 0x18, U64, "number of the result or argument", HERE),
    ),
    "A result or a block argument. The notes do not describe it.",
)
_VALUE_FIELDS = (
    LayoutField("first_use", 0x00, pointer("OpOperand"), "head of the use list", "MLIR 22: Value.h"),
    bit_field(
        "kind", 0x08, U64, 0, 3, "0..5 result of that number, 6 result, 7 block argument", "MLIR 22: Value.h"
    ),
    bit_field("type", 0x08, U64, 3, 61, "type, divided by 8", "MLIR 22: Value.h"),
    view("type_and_kind", 0x08, U64, "type and kind as one word", "MLIR 22: Value.h"),
)
UPSTREAM_VALUE = Struct(
    "InlineOpResult",
    16,
    _VALUE_FIELDS,
    "One of the first six results; result i lies 16 * (i + 1) bytes before its operation.",
)
OUT_OF_LINE_RESULT = Struct(
    "OutOfLineOpResult",
    24,
    (*_VALUE_FIELDS, LayoutField("index", 0x10, I64, "number of the result minus 6", "MLIR 22: Value.h")),
    "A result after the sixth; result 6 + i lies 16 * 6 + 24 * (i + 1) bytes before its operation.",
)
INLINE_RESULTS = 6
OUT_OF_LINE_KIND, BLOCK_ARGUMENT_KIND = 6, 7
UPSTREAM_BLOCK_ARGUMENT = Struct(
    "BlockArgument",
    40,
    (
        *_VALUE_FIELDS,
        LayoutField("owner", 0x10, pointer("Block"), "the block", "MLIR 22: Value.h"),
        LayoutField("index", 0x18, I64, "number of the argument", "MLIR 22: Value.h"),
        LayoutField("location", 0x20, pointer("Location"), "source location", "MLIR 22: Value.h"),
    ),
    "A block argument.",
)
BLOCK_ARGUMENT = Struct(
    "BlockArgument",
    40,
    (
        *VALUE.fields,
        LayoutField("location", 0x20, pointer("Location"), "source location; null when not kept", HERE),
    ),
    "A block argument. The notes do not describe it.",
)

REGION = Struct(
    "Region",
    24,
    (
        LayoutField("parent", 0x00, pointer("Operation"), "the operation that owns it", "Allocator"),
        LayoutField("blocks", 0x08, pointer("Block"), "head of the block list", "Allocator"),
        LayoutField("flags", 0x10, U64, "flag word", "Allocator"),
    ),
    "A region. The stride of 24 bytes is firm.",
)
UPSTREAM_REGION = Struct(
    "Region",
    24,
    (
        LayoutField(
            "previous",
            0x00,
            U64,
            "last block; the list's head is this field; bit 2 marks a head",
            "MLIR 22: Region.h",
        ),
        LayoutField(
            "next", 0x08, pointer("Block"), "list node of the first block (at +8 of it)", "MLIR 22: Region.h"
        ),
        LayoutField(
            "container", 0x10, pointer("Operation"), "the operation that owns it", "MLIR 22: Region.h"
        ),
    ),
    "A region: the head of its list of blocks.",
)
BLOCK = Struct(
    "Block",
    96,
    (
        LayoutField("first_use", 0x00, pointer("BlockOperand"), "head of the use list: predecessors", HERE),
        LayoutField("parent", 0x08, pointer("Region"), "the region it stands in", HERE),
        LayoutField("previous", 0x10, pointer("Block"), "block before, or null", HERE),
        LayoutField("next", 0x18, pointer("Block"), "block after, or null", HERE),
        LayoutField("first", 0x20, pointer("Operation"), "first operation", HERE),
        LayoutField("last", 0x28, pointer("Operation"), "last operation", HERE),
        LayoutField("arguments", 0x30, pointer("BlockArgument"), "arguments, one after the other", HERE),
        LayoutField("num_arguments", 0x38, U64, "their number", HERE),
        LayoutField("reserved", 0x40, RawBytes(32), "not used", HERE),
    ),
    "A block. The notes give its 96 bytes and no fields.",
)
BLOCK_LINK_OFFSET, BLOCK_OPERATIONS_OFFSET = 0x08, 0x20
"""Upstream: the offsets, in a block, of its own list node and of the head of its list of operations."""
UPSTREAM_BLOCK = Struct(
    "Block",
    72,
    (
        LayoutField(
            "first_use",
            0x00,
            pointer("BlockOperand"),
            "head of the use list: predecessors",
            "MLIR 22: Block.h",
        ),
        LayoutField(
            "previous", 0x08, U64, "node of the block before; bit 2 marks a head", "MLIR 22: Block.h"
        ),
        LayoutField("next", 0x10, pointer("Block"), "node of the block after", "MLIR 22: Block.h"),
        bit_field("order_valid", 0x18, U64, 2, 1, "order numbers are right", "MLIR 22: Block.h"),
        bit_field("parent", 0x18, U64, 3, 61, "the region it stands in, divided by 8", "MLIR 22: Block.h"),
        view("parent_word", 0x18, U64, "region and flag as one word", "MLIR 22: Block.h"),
        LayoutField(
            "last",
            0x20,
            U64,
            "last operation; the list's head is this field; bit 2 marks a head",
            "MLIR 22: Block.h",
        ),
        LayoutField("first", 0x28, pointer("Operation"), "first operation", "MLIR 22: Block.h"),
        LayoutField(
            "arguments", 0x30, Embedded(THREE_POINTER_VECTOR), "pointers to the arguments", "MLIR 22: Block.h"
        ),
    ),
    "A block.",
)

_RECORD = "nv_tileas Overview"
ABSTRACT_OPERATION = Struct(
    "AbstractOperation",
    0x70,
    (
        LayoutField("vtable", 0x00, pointer("code *"), "table", _RECORD),
        LayoutField("mnemonic", 0x08, Embedded(STRING_REF), "full name", _RECORD),
        *(
            LayoutField(name, 0x18 + 8 * at, pointer("Concept"), meaning, _RECORD)
            for at, (name, meaning) in enumerate(
                (
                    ("inliner", "inliner interface"),
                    ("opasm", "assembly interface"),
                    ("fold", "folder"),
                    ("typeinfer", "type inference"),
                    ("bytecode", "bytecode interface"),
                    ("memeffects", "memory effects"),
                    ("destinationstyle", "destination-passing style"),
                    ("alias", "alias analysis"),
                    ("extra", "further"),
                    ("canonicalize", "fold or canonicalize callback"),
                    ("alias_token", "alias token model; records of cuda_tile end before it"),
                )
            )
        ),
    ),
    "The target of `Operation.name`: one record per kind of operation; null means that the kind lacks "
    "the interface.",
)
UPSTREAM_OPERATION_NAME = Struct(
    "OperationNameImpl",
    0x70,
    (
        LayoutField("vtable", 0x00, pointer("code *"), "hooks of the kind", "MLIR 22: OperationSupport.h"),
        LayoutField("name", 0x08, pointer("StringAttr"), "full name", "MLIR 22: OperationSupport.h"),
        LayoutField(
            "type_id",
            0x10,
            pointer("TypeID"),
            "id of the op class; the id of void when unregistered",
            "MLIR 22",
        ),
        LayoutField(
            "dialect", 0x18, pointer("Dialect"), "its dialect, or null", "MLIR 22: OperationSupport.h"
        ),
        LayoutField(
            "interfaces", 0x20, Embedded(UPSTREAM_MAP), "its interfaces", "MLIR 22: OperationSupport.h"
        ),
        LayoutField(
            "attribute_names", 0x60, pointer("StringAttr"), "names of inherent attributes", "MLIR 22"
        ),
        LayoutField("num_attribute_names", 0x68, U64, "their number", "MLIR 22"),
    ),
    "The target of `Operation.name`: one record per kind of operation.",
)
STRING_ATTRIBUTE = Struct(
    "StringAttrStorage",
    40,
    (
        LayoutField(
            "abstract",
            0x00,
            pointer("AbstractAttribute"),
            "class of the attribute",
            "MLIR 22: AttributeDetail.h",
        ),
        LayoutField("type", 0x08, pointer("Type"), "type", "MLIR 22: AttributeDetail.h"),
        LayoutField("value", 0x10, Embedded(STRING_REF), "the text", "MLIR 22: AttributeDetail.h"),
        LayoutField("dialect", 0x20, pointer("Dialect"), "dialect named before the dot, or null", "MLIR 22"),
    ),
    "A string attribute, which is also an identifier.",
)
DICTIONARY = Struct(
    "Dictionary",
    24,
    (
        LayoutField(
            "abstract",
            0x00,
            pointer("AbstractAttribute"),
            "class of the attribute",
            "MLIR 22: AttributeDetail.h",
        ),
        LayoutField("entries", 0x08, pointer("NamedAttribute"), "entries", "MLIR 22: AttributeDetail.h"),
        LayoutField("size", 0x10, U64, "their number", "MLIR 22: AttributeDetail.h"),
    ),
    "An attribute dictionary. Images keep the order in which a live operation holds its attributes.",
)
NAMED_ATTRIBUTE = Struct(
    "NamedAttribute",
    16,
    (
        LayoutField("name", 0x00, pointer("StringAttr"), "name", "MLIR 22: Attributes.h"),
        LayoutField("value", 0x08, pointer("Attribute"), "value", "MLIR 22: Attributes.h"),
    ),
    "An entry of a dictionary.",
)
STORED_TEXT = Struct(
    "StoredText",
    24,
    (
        LayoutField(
            "abstract", 0x00, pointer("AbstractAttribute"), "class of the type, attribute or location", HERE
        ),
        LayoutField("text", 0x08, Embedded(STRING_REF), "its text form", HERE),
    ),
    "How images hold types, attributes and locations in this profile: the storage of each class is its own business.",
)


@dataclass(frozen=True)
class Trailing:
    """The offsets in bytes from an operation to its operands, regions and successors, and the offset ``end``
    after the last byte of its trailing storage. A view returns addresses in place of offsets.
    """

    operands: int
    regions: int
    successors: int
    end: int


def trailing_storage(op: int, flag: int, cells: int, num_operands: int) -> int:
    """Return ``align8(op + 64 + 16 * flag + 8 * cells)`` plus 32 bytes for each operand: the address of the
    first region, as the documented decoder computes it without its early exit. In `tileiras-13.1`
    `num_operands` is the operand count; the loads of upstream make it the number of successors, which have 32
    bytes there, too.
    """
    base = (op + 16 * flag + 8 * cells + TRAILING_BASE + 7) & ~7
    return base + 32 * (num_operands & OPERAND_COUNT_MASK)


def decoder(op: int, word_at_28: int, word_at_2c: int) -> int:
    """Return the address that the documented decoder computes for the operation at `op` from two words of its
    header: `trailing_storage` with the fields of `word_at_2c` and the operand count in `word_at_28`. The
    result is 0 if the low 23 bits of `word_at_2c`, the number of results, are 0.
    """
    if word_at_2c & RESULT_COUNT_MASK == 0:
        return 0
    return trailing_storage(op, word_at_2c >> 23 & 1, word_at_2c >> 24, word_at_28)


def trailing_of_image(results: int, operands: int, regions: int, successors: int) -> Trailing:
    """Return the offsets of the parts that follow the header of an operation in images of profile
    tileiras-13.1, from the numbers of its results, operands, regions and successors.
    """
    at = trailing_storage(0, int(results > 0), result_words(results), 0)
    first_region = at + OP_OPERAND.size * operands
    first_successor = first_region + REGION.size * regions
    return Trailing(
        at, first_region, first_successor, first_successor + BLOCK_OPERAND.size * successors + POINTER_SIZE
    )


def result_words(results: int) -> int:
    """Return the number of words in an image that point to the results of an operation: one for each result,
    at most 255; one if there are none.
    """
    return min(results, 0xFF) if results else 1


def upstream_trailing(
    has_operand_storage: int, properties: int, successors: int, regions: int, operands: int
) -> Trailing:
    """Return the offsets of the parts that follow a header in MLIR. ``has_operand_storage`` is 0 or 1,
    ``properties`` the size of the properties in units of 8 bytes; the other arguments are numbers of
    successors, regions and operands.
    """
    first_successor = UPSTREAM_OPERATION.size + 16 * has_operand_storage + 8 * properties
    first_region = first_successor + UPSTREAM_BLOCK_OPERAND.size * successors
    first_operand = first_region + UPSTREAM_REGION.size * regions
    end = first_operand + UPSTREAM_OP_OPERAND.size * operands
    return Trailing(first_operand, first_region, first_successor, end)


def upstream_result_offset(index: int) -> int:
    """Return the distance in bytes from result number ``index`` to its operation, which has the higher
    address.
    """
    if index < INLINE_RESULTS:
        return UPSTREAM_VALUE.size * (index + 1)
    beyond = index - INLINE_RESULTS + 1
    return UPSTREAM_VALUE.size * INLINE_RESULTS + OUT_OF_LINE_RESULT.size * beyond


def _pair(name: str, tileiras: Struct, upstream: Struct) -> AbiLayout:
    return AbiLayout(name, FAMILY, {Profile.TILEIRAS: tileiras, Profile.UPSTREAM: upstream})


LAYOUTS: tuple[AbiLayout, ...] = (
    _pair("operation", OPERATION, UPSTREAM_OPERATION),
    AbiLayout("operation_link", FAMILY, {Profile.TILEIRAS: OPERATION_LINK}),
    _pair("op_operand", OP_OPERAND, UPSTREAM_OP_OPERAND),
    _pair("block_operand", BLOCK_OPERAND, UPSTREAM_BLOCK_OPERAND),
    AbiLayout("operand_storage", FAMILY, {Profile.UPSTREAM: OPERAND_STORAGE}),
    _pair("value", VALUE, UPSTREAM_VALUE),
    AbiLayout("out_of_line_result", FAMILY, {Profile.UPSTREAM: OUT_OF_LINE_RESULT}),
    _pair("block_argument", BLOCK_ARGUMENT, UPSTREAM_BLOCK_ARGUMENT),
    _pair("region", REGION, UPSTREAM_REGION),
    _pair("block", BLOCK, UPSTREAM_BLOCK),
    _pair("operation_name", ABSTRACT_OPERATION, UPSTREAM_OPERATION_NAME),
    both("string_attribute", FAMILY, STRING_ATTRIBUTE),
    both("dictionary", FAMILY, DICTIONARY),
    both("named_attribute", FAMILY, NAMED_ATTRIBUTE),
    AbiLayout("stored_text", FAMILY, {Profile.UPSTREAM: STORED_TEXT}),
)

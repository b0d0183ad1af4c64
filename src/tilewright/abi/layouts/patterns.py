"""Rewrite patterns: one prefix, and four shapes that differ in the fields after it."""

from __future__ import annotations

from tilewright.abi.layout import (
    I8,
    U8,
    U16,
    U32,
    U64,
    AbiLayout,
    ArrayLayout,
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
from tilewright.abi.layouts.containers import (
    DENSE_MAP,
    STD_FUNCTION,
    STRING_REF,
    THREE_POINTER_VECTOR,
    inline_marker,
    small_vector,
)

FAMILY = "patterns"
PREFIX_SIZE = 0x60
SHAPE_SIZES = {"A": 0x60, "B": 0x68, "C": 0x70, "D": 0x78}
"""Bytes of a pattern of each shape."""
GENERATED_OPS_MARKER = inline_marker(4)
"""The size word at +0x40 while the list of generated operations is empty."""
TYPE_NAME_END = "]"
"""The last character of every type name: it is cut out of ``__PRETTY_FUNCTION__``."""

_SOURCE = "Pattern Vtables and Shapes"

PREFIX = (
    LayoutField("vtable", 0x00, pointer("code *"), "table of 8 or 5 slots", _SOURCE),
    LayoutField(
        "op_name", 0x08, Embedded(STRING_REF), "name of the operation the pattern is rooted at", _SOURCE
    ),
    LayoutField("benefit", 0x18, U16, "rank among patterns of one root", _SOURCE),
    LayoutField("kind", 0x1A, U16, "the kind of root: operation, interface, trait, anything", _SOURCE),
    LayoutField("context", 0x20, pointer("MLIRContext"), "owning context", _SOURCE),
    LayoutField("type_name", 0x28, pointer("char"), "class name, closed by ]", _SOURCE),
    LayoutField("type_name_length", 0x30, U64, "its length, NUL not counted", _SOURCE),
    LayoutField(
        "generated_ops", 0x38, pointer("OperationName"), "operations the pattern may create", _SOURCE
    ),
    LayoutField("generated_ops_size", 0x40, U32, "their number", _SOURCE),
    LayoutField("generated_ops_capacity", 0x44, U32, "room for them, 4 inline", _SOURCE),
    view("generated_ops_word", 0x40, U64, "size and capacity; 0x400000000 when empty", _SOURCE),
    LayoutField(
        "generated_ops_inline", 0x48, ArrayLayout(pointer("OperationName"), 3), "inline room", _SOURCE
    ),
)
_NOTES = (
    "Four inline slots would end at 0x68; the prefix ends at 0x60, which leaves three. Non-empty lists are therefore "
    "kept behind `generated_ops`, never inline.",
    "Another page puts the name pair at +0x40/+0x48, which is where `mlir-upstream` has it.",
)


def _shape(letter: str, doc: str, *tail: LayoutField) -> Struct:
    return Struct(f"Pattern{letter}", SHAPE_SIZES[letter], (*PREFIX, *tail), doc, notes=_NOTES)


PATTERN_A = _shape(
    "A", "Plain rewrite pattern: the prefix and nothing else; points at a table of five slots."
)
PATTERN_B = _shape(
    "B",
    "Conversion pattern without a type converter; points at a table of eight slots.",
    LayoutField(
        "context_again", 0x60, pointer("MLIRContext"), "the context once more, where drivers read it", _SOURCE
    ),
)
PATTERN_C = _shape(
    "C",
    "Conversion pattern with a type converter; points at a table of eight slots.",
    LayoutField("type_converter", 0x60, pointer("TypeConverter"), "shared by all patterns of a set", _SOURCE),
    LayoutField("reserved", 0x68, RawBytes(8), "not described", ""),
)
PATTERN_D = _shape(
    "D",
    "Conversion pattern that asks a captured predicate; points at a table of eight slots.",
    LayoutField(
        "closure", 0x60, pointer("ClosureTuple"), "heap tuple with a std::function<bool(int)>", _SOURCE
    ),
    LayoutField("reserved", 0x68, RawBytes(16), "not described", ""),
)
PATTERN_SHAPES = {"A": PATTERN_A, "B": PATTERN_B, "C": PATTERN_C, "D": PATTERN_D}

CLOSURE_TUPLE = Struct(
    "ClosureTuple",
    40,
    (
        LayoutField("predicate", 0, Embedded(STD_FUNCTION), "bool(int)", _SOURCE),
        LayoutField(
            "type_converter", 0x20, pointer("TypeConverter"), "the converter, or null", "chosen here"
        ),
    ),
    "The captures of a pattern of shape D.",
)

_UPSTREAM = "MLIR 22: PatternMatch.h"
_UPSTREAM_PREFIX = (
    LayoutField("vtable", 0x00, pointer("code *"), "table of 8 or 5 slots", _UPSTREAM),
    LayoutField("root", 0x08, pointer(), "OperationName or TypeID of the root, by `root_kind`", _UPSTREAM),
    LayoutField("root_kind", 0x10, U32, "0 any, 1 operation, 2 interface, 3 trait", _UPSTREAM),
    LayoutField("benefit", 0x14, U16, "rank; 0xFFFF never matches", _UPSTREAM),
    bit_field(
        "has_bounded_recursion", 0x18, U64, 2, 1, "may be applied to operations that it made", _UPSTREAM
    ),
    bit_field("context", 0x18, U64, 3, 61, "owning context, divided by 8", _UPSTREAM),
    view("context_word", 0x18, pointer("MLIRContext"), "context and the flag in its low bits", _UPSTREAM),
    LayoutField(
        "generated_ops", 0x20, Embedded(small_vector(pointer("OperationName"), 2)), "operations", _UPSTREAM
    ),
    LayoutField("debug_name", 0x40, Embedded(STRING_REF), "name shown to people", _UPSTREAM),
    LayoutField("debug_labels", 0x50, Embedded(small_vector(Embedded(STRING_REF), 0)), "labels", _UPSTREAM),
)
UPSTREAM_REWRITE_PATTERN = Struct(
    "RewritePattern", 0x60, _UPSTREAM_PREFIX, "mlir::RewritePattern: the counterpart of shape A."
)
UPSTREAM_CONVERSION_PATTERN = Struct(
    "ConversionPattern",
    0x68,
    (
        *_UPSTREAM_PREFIX,
        LayoutField(
            "type_converter",
            0x60,
            pointer("TypeConverter"),
            "null without one",
            "MLIR 22: DialectConversion.h",
        ),
    ),
    "mlir::ConversionPattern: the counterpart of shapes B and C; members of derived classes follow.",
)
UPSTREAM_CLOSURE_PATTERN = Struct(
    "ClosurePattern",
    0x70,
    (
        *UPSTREAM_CONVERSION_PATTERN.fields,
        LayoutField("closure", 0x68, pointer("ClosureTuple"), "captures of the derived class", "chosen here"),
    ),
    "A conversion pattern of a derived class with one member: how images hold shape D in this profile.",
)
PATTERN_REGISTRY = Struct(
    "PatternRegistry",
    80,
    (
        LayoutField(
            "patterns", 0, Embedded(THREE_POINTER_VECTOR), "pointers to patterns, 8 bytes each", _SOURCE
        ),
        LayoutField(
            "extras", 24, Embedded(THREE_POINTER_VECTOR), "one PatternExtra for each pattern", "chosen here"
        ),
        LayoutField(
            "by_name", 48, Embedded(DENSE_MAP), "kind's record to PatternList; empty unless frozen", _SOURCE
        ),
        LayoutField("frozen", 72, U64, "1 for a frozen set, in order of trial", "chosen here"),
    ),
    "A set of patterns, in order of registration or, once frozen, of trial.",
)
PATTERN_EXTRA = Struct(
    "PatternExtra",
    64,
    (
        LayoutField("debug_name", 0, Embedded(STRING_REF), "name shown to people", "chosen here"),
        LayoutField("root_class", 16, Embedded(STRING_REF), "interface or trait of the root", "chosen here"),
        LayoutField("labels", 32, pointer("StringRef"), "labels", "chosen here"),
        LayoutField("num_labels", 40, U32, "their number", "chosen here"),
        LayoutField(
            "has_bounded_recursion", 44, U32, "may be applied to operations that it made", "chosen here"
        ),
        LayoutField("type_name", 48, Embedded(STRING_REF), "class name, closed by ]", "chosen here"),
    ),
    "Fields of a pattern that its shapes have no room for.",
)
PATTERN_LIST = Struct(
    "PatternList",
    16,
    (
        LayoutField("patterns", 0, pointer("Pattern *"), "patterns in order of trial", "chosen here"),
        LayoutField("size", 8, U64, "their number", "chosen here"),
    ),
    "The patterns rooted at one kind of operation.",
)

LAYOUTS: tuple[AbiLayout, ...] = (
    AbiLayout("pattern_a", FAMILY, {Profile.TILEIRAS: PATTERN_A, Profile.UPSTREAM: UPSTREAM_REWRITE_PATTERN}),
    AbiLayout(
        "pattern_b", FAMILY, {Profile.TILEIRAS: PATTERN_B, Profile.UPSTREAM: UPSTREAM_CONVERSION_PATTERN}
    ),
    AbiLayout(
        "pattern_c", FAMILY, {Profile.TILEIRAS: PATTERN_C, Profile.UPSTREAM: UPSTREAM_CONVERSION_PATTERN}
    ),
    AbiLayout("pattern_d", FAMILY, {Profile.TILEIRAS: PATTERN_D, Profile.UPSTREAM: UPSTREAM_CLOSURE_PATTERN}),
    both("closure_tuple", FAMILY, CLOSURE_TUPLE),
    both("pattern_registry", FAMILY, PATTERN_REGISTRY),
    both("pattern_extra", FAMILY, PATTERN_EXTRA),
    both("pattern_list", FAMILY, PATTERN_LIST),
)


REGISTER_CLASSES = "register classes"
_MC = "LLVM 22: MCRegisterInfo.h"
_TARGET = "LLVM 22: TargetRegisterInfo.h"

MC_REGISTER_CLASS = Struct(
    "MCRegisterClass",
    32,
    (
        LayoutField("registers", 0x00, pointer("u16"), "the registers of the class", _MC),
        LayoutField("set", 0x08, pointer("u8"), "bit set of them", _MC),
        LayoutField("name", 0x10, U32, "offset of the name in the table of names", _MC),
        LayoutField("num_registers", 0x14, U16, "their number", _MC),
        LayoutField("set_size", 0x16, U16, "bytes of the bit set", _MC),
        LayoutField("id", 0x18, U16, "number of the class", _MC),
        LayoutField("bits", 0x1A, U16, "bits of a register", _MC),
        LayoutField("copy_cost", 0x1C, I8, "cost of a copy", _MC),
        LayoutField("allocatable", 0x1D, U8, "registers may be handed out", _MC),
        LayoutField("base_class", 0x1E, U8, "may be named by assembly", _MC),
    ),
    "The part of a register class that assemblers know, too.",
)
TARGET_REGISTER_CLASS = Struct(
    "TargetRegisterClass",
    0x40,
    (
        LayoutField("mc", 0x00, pointer("MCRegisterClass"), "the part that assemblers know", _TARGET),
        LayoutField("subclass_mask", 0x08, pointer("u32"), "bit set of subclasses", _TARGET),
        LayoutField("superregister_indices", 0x10, pointer("u16"), "indices of registers around it", _TARGET),
        LayoutField("lane_mask", 0x18, U64, "lanes it covers", _TARGET),
        LayoutField("allocation_priority", 0x20, U8, "order of service", _TARGET),
        LayoutField("global_priority", 0x21, U8, "whether that holds across classes", _TARGET),
        LayoutField("target_flags", 0x22, U8, "flags of the target", _TARGET),
        LayoutField("has_disjunct_subregisters", 0x23, U8, "parts do not overlap", _TARGET),
        LayoutField("covered_by_subregisters", 0x24, U8, "parts make up the whole", _TARGET),
        LayoutField("superclasses", 0x28, pointer("u32"), "numbers of the classes around it", _TARGET),
        LayoutField("num_superclasses", 0x30, U16, "their number", _TARGET),
        LayoutField(
            "raw_allocation_order", 0x38, pointer("code"), "order in which to hand out, or null", _TARGET
        ),
    ),
    "A register class. Published notes on tileiras list the members and give no offsets.",
)

REGISTER_CLASS_LAYOUTS: tuple[AbiLayout, ...] = (
    both("mc_register_class", REGISTER_CLASSES, MC_REGISTER_CLASS),
    both("target_register_class", REGISTER_CLASSES, TARGET_REGISTER_CLASS),
)

"""Rewrite patterns: one prefix, and four shapes that differ in the fields after it."""

from __future__ import annotations

from tilewright.abi import layout
from tilewright.abi.layouts import containers

FAMILY = "patterns"
PREFIX_SIZE = 0x60
SHAPE_SIZES = {"A": 0x60, "B": 0x68, "C": 0x70, "D": 0x78}
"""The size in bytes of a pattern of each shape."""
GENERATED_OPS_MARKER = containers.inline_marker(4)
"""The word at +0x40 if the list of generated operations is empty."""
TYPE_NAME_END = "]"
"""The last character of every type name, which is cut out of ``__PRETTY_FUNCTION__``."""

_SOURCE = "Pattern Vtables and Shapes"

PREFIX = (
    layout.LayoutField("vtable", 0x00, layout.pointer("code *"), "table of 8 or 5 slots", _SOURCE),
    layout.LayoutField(
        "op_name",
        0x08,
        layout.Embedded(containers.STRING_REF),
        "name of the operation the pattern is rooted at",
        _SOURCE,
    ),
    layout.LayoutField("benefit", 0x18, layout.U16, "rank among patterns of one root", _SOURCE),
    layout.LayoutField(
        "kind", 0x1A, layout.U16, "the kind of root: operation, interface, trait, anything", _SOURCE
    ),
    layout.LayoutField("context", 0x20, layout.pointer("MLIRContext"), "owning context", _SOURCE),
    layout.LayoutField("type_name", 0x28, layout.pointer("char"), "class name, closed by ]", _SOURCE),
    layout.LayoutField("type_name_length", 0x30, layout.U64, "its length, NUL not counted", _SOURCE),
    layout.LayoutField(
        "generated_ops", 0x38, layout.pointer("OperationName"), "operations the pattern may create", _SOURCE
    ),
    layout.LayoutField("generated_ops_size", 0x40, layout.U32, "their number", _SOURCE),
    layout.LayoutField("generated_ops_capacity", 0x44, layout.U32, "room for them, 4 inline", _SOURCE),
    layout.view("generated_ops_word", 0x40, layout.U64, "size and capacity; 0x400000000 when empty", _SOURCE),
    layout.LayoutField(
        "generated_ops_inline",
        0x48,
        layout.ArrayLayout(layout.pointer("OperationName"), 3),
        "inline room",
        _SOURCE,
    ),
)
_NOTES = (
    "Four inline slots would end at 0x68; the prefix ends at 0x60, which leaves three. Non-empty lists are therefore "
    "kept behind `generated_ops`, never inline.",
    "Another page puts the name pair at +0x40/+0x48, which is where `mlir-upstream` has it.",
)


def _shape(letter: str, doc: str, *tail: layout.LayoutField) -> layout.Struct:
    return layout.Struct(f"Pattern{letter}", SHAPE_SIZES[letter], (*PREFIX, *tail), doc, notes=_NOTES)


PATTERN_A = _shape(
    "A", "Plain rewrite pattern: the prefix and nothing else; points at a table of five slots."
)
PATTERN_B = _shape(
    "B",
    "Conversion pattern without a type converter; points at a table of eight slots.",
    layout.LayoutField(
        "context_again",
        0x60,
        layout.pointer("MLIRContext"),
        "the context once more, where drivers read it",
        _SOURCE,
    ),
)
PATTERN_C = _shape(
    "C",
    "Conversion pattern with a type converter; points at a table of eight slots.",
    layout.LayoutField(
        "type_converter", 0x60, layout.pointer("TypeConverter"), "shared by all patterns of a set", _SOURCE
    ),
    layout.LayoutField("reserved", 0x68, layout.RawBytes(8), "not described", ""),
)
PATTERN_D = _shape(
    "D",
    "Conversion pattern that asks a captured predicate; points at a table of eight slots.",
    layout.LayoutField(
        "closure", 0x60, layout.pointer("ClosureTuple"), "heap tuple with a std::function<bool(int)>", _SOURCE
    ),
    layout.LayoutField("reserved", 0x68, layout.RawBytes(16), "not described", ""),
)
PATTERN_SHAPES = {"A": PATTERN_A, "B": PATTERN_B, "C": PATTERN_C, "D": PATTERN_D}

CLOSURE_TUPLE = layout.Struct(
    "ClosureTuple",
    40,
    (
        layout.LayoutField("predicate", 0, layout.Embedded(containers.STD_FUNCTION), "bool(int)", _SOURCE),
        layout.LayoutField(
            "type_converter", 0x20, layout.pointer("TypeConverter"), "the converter, or null", "chosen here"
        ),
    ),
    "The captures of a pattern of shape D.",
)

_UPSTREAM = "MLIR 22: PatternMatch.h"
_UPSTREAM_PREFIX = (
    layout.LayoutField("vtable", 0x00, layout.pointer("code *"), "table of 8 or 5 slots", _UPSTREAM),
    layout.LayoutField(
        "root", 0x08, layout.pointer(), "OperationName or TypeID of the root, by `root_kind`", _UPSTREAM
    ),
    layout.LayoutField("root_kind", 0x10, layout.U32, "0 any, 1 operation, 2 interface, 3 trait", _UPSTREAM),
    layout.LayoutField("benefit", 0x14, layout.U16, "rank; 0xFFFF never matches", _UPSTREAM),
    layout.bit_field(
        "has_bounded_recursion",
        0x18,
        layout.U64,
        2,
        1,
        "may be applied to operations that it made",
        _UPSTREAM,
    ),
    layout.bit_field("context", 0x18, layout.U64, 3, 61, "owning context, divided by 8", _UPSTREAM),
    layout.view(
        "context_word", 0x18, layout.pointer("MLIRContext"), "context and the flag in its low bits", _UPSTREAM
    ),
    layout.LayoutField(
        "generated_ops",
        0x20,
        layout.Embedded(containers.small_vector(layout.pointer("OperationName"), 2)),
        "operations",
        _UPSTREAM,
    ),
    layout.LayoutField(
        "debug_name", 0x40, layout.Embedded(containers.STRING_REF), "name shown to people", _UPSTREAM
    ),
    layout.LayoutField(
        "debug_labels",
        0x50,
        layout.Embedded(containers.small_vector(layout.Embedded(containers.STRING_REF), 0)),
        "labels",
        _UPSTREAM,
    ),
)
UPSTREAM_REWRITE_PATTERN = layout.Struct(
    "RewritePattern", 0x60, _UPSTREAM_PREFIX, "mlir::RewritePattern: the counterpart of shape A."
)
UPSTREAM_CONVERSION_PATTERN = layout.Struct(
    "ConversionPattern",
    0x68,
    (
        *_UPSTREAM_PREFIX,
        layout.LayoutField(
            "type_converter",
            0x60,
            layout.pointer("TypeConverter"),
            "null without one",
            "MLIR 22: DialectConversion.h",
        ),
    ),
    "mlir::ConversionPattern: the counterpart of shapes B and C; members of derived classes follow.",
)
UPSTREAM_CLOSURE_PATTERN = layout.Struct(
    "ClosurePattern",
    0x70,
    (
        *UPSTREAM_CONVERSION_PATTERN.fields,
        layout.LayoutField(
            "closure", 0x68, layout.pointer("ClosureTuple"), "captures of the derived class", "chosen here"
        ),
    ),
    "A conversion pattern of a derived class with one member: how images hold shape D in this profile.",
)
PATTERN_REGISTRY = layout.Struct(
    "PatternRegistry",
    80,
    (
        layout.LayoutField(
            "patterns",
            0,
            layout.Embedded(containers.THREE_POINTER_VECTOR),
            "pointers to patterns, 8 bytes each",
            _SOURCE,
        ),
        layout.LayoutField(
            "extras",
            24,
            layout.Embedded(containers.THREE_POINTER_VECTOR),
            "one PatternExtra for each pattern",
            "chosen here",
        ),
        layout.LayoutField(
            "by_name",
            48,
            layout.Embedded(containers.DENSE_MAP),
            "kind's record to PatternList; empty unless frozen",
            _SOURCE,
        ),
        layout.LayoutField("frozen", 72, layout.U64, "1 for a frozen set, in order of trial", "chosen here"),
    ),
    "A set of patterns, in order of registration or, once frozen, of trial.",
)
PATTERN_EXTRA = layout.Struct(
    "PatternExtra",
    64,
    (
        layout.LayoutField(
            "debug_name", 0, layout.Embedded(containers.STRING_REF), "name shown to people", "chosen here"
        ),
        layout.LayoutField(
            "root_class",
            16,
            layout.Embedded(containers.STRING_REF),
            "interface or trait of the root",
            "chosen here",
        ),
        layout.LayoutField("labels", 32, layout.pointer("StringRef"), "labels", "chosen here"),
        layout.LayoutField("num_labels", 40, layout.U32, "their number", "chosen here"),
        layout.LayoutField(
            "has_bounded_recursion",
            44,
            layout.U32,
            "may be applied to operations that it made",
            "chosen here",
        ),
        layout.LayoutField(
            "type_name", 48, layout.Embedded(containers.STRING_REF), "class name, closed by ]", "chosen here"
        ),
    ),
    "Fields of a pattern that its shapes have no room for.",
)
PATTERN_LIST = layout.Struct(
    "PatternList",
    16,
    (
        layout.LayoutField(
            "patterns", 0, layout.pointer("Pattern *"), "patterns in order of trial", "chosen here"
        ),
        layout.LayoutField("size", 8, layout.U64, "their number", "chosen here"),
    ),
    "The patterns rooted at one kind of operation.",
)

LAYOUTS: tuple[layout.AbiLayout, ...] = (
    layout.AbiLayout(
        "pattern_a",
        FAMILY,
        {layout.Profile.TILEIRAS: PATTERN_A, layout.Profile.UPSTREAM: UPSTREAM_REWRITE_PATTERN},
    ),
    layout.AbiLayout(
        "pattern_b",
        FAMILY,
        {layout.Profile.TILEIRAS: PATTERN_B, layout.Profile.UPSTREAM: UPSTREAM_CONVERSION_PATTERN},
    ),
    layout.AbiLayout(
        "pattern_c",
        FAMILY,
        {layout.Profile.TILEIRAS: PATTERN_C, layout.Profile.UPSTREAM: UPSTREAM_CONVERSION_PATTERN},
    ),
    layout.AbiLayout(
        "pattern_d",
        FAMILY,
        {layout.Profile.TILEIRAS: PATTERN_D, layout.Profile.UPSTREAM: UPSTREAM_CLOSURE_PATTERN},
    ),
    layout.both("closure_tuple", FAMILY, CLOSURE_TUPLE),
    layout.both("pattern_registry", FAMILY, PATTERN_REGISTRY),
    layout.both("pattern_extra", FAMILY, PATTERN_EXTRA),
    layout.both("pattern_list", FAMILY, PATTERN_LIST),
)


REGISTER_CLASSES = "register classes"
_MC = "LLVM 22: MCRegisterInfo.h"
_TARGET = "LLVM 22: TargetRegisterInfo.h"

MC_REGISTER_CLASS = layout.Struct(
    "MCRegisterClass",
    32,
    (
        layout.LayoutField("registers", 0x00, layout.pointer("u16"), "the registers of the class", _MC),
        layout.LayoutField("set", 0x08, layout.pointer("u8"), "bit set of them", _MC),
        layout.LayoutField("name", 0x10, layout.U32, "offset of the name in the table of names", _MC),
        layout.LayoutField("num_registers", 0x14, layout.U16, "their number", _MC),
        layout.LayoutField("set_size", 0x16, layout.U16, "bytes of the bit set", _MC),
        layout.LayoutField("id", 0x18, layout.U16, "number of the class", _MC),
        layout.LayoutField("bits", 0x1A, layout.U16, "bits of a register", _MC),
        layout.LayoutField("copy_cost", 0x1C, layout.I8, "cost of a copy", _MC),
        layout.LayoutField("allocatable", 0x1D, layout.U8, "registers may be handed out", _MC),
        layout.LayoutField("base_class", 0x1E, layout.U8, "may be named by assembly", _MC),
    ),
    "The part of a register class that assemblers know, too.",
)
TARGET_REGISTER_CLASS = layout.Struct(
    "TargetRegisterClass",
    0x40,
    (
        layout.LayoutField(
            "mc", 0x00, layout.pointer("MCRegisterClass"), "the part that assemblers know", _TARGET
        ),
        layout.LayoutField("subclass_mask", 0x08, layout.pointer("u32"), "bit set of subclasses", _TARGET),
        layout.LayoutField(
            "superregister_indices", 0x10, layout.pointer("u16"), "indices of registers around it", _TARGET
        ),
        layout.LayoutField("lane_mask", 0x18, layout.U64, "lanes it covers", _TARGET),
        layout.LayoutField("allocation_priority", 0x20, layout.U8, "order of service", _TARGET),
        layout.LayoutField("global_priority", 0x21, layout.U8, "whether that holds across classes", _TARGET),
        layout.LayoutField("target_flags", 0x22, layout.U8, "flags of the target", _TARGET),
        layout.LayoutField("has_disjunct_subregisters", 0x23, layout.U8, "parts do not overlap", _TARGET),
        layout.LayoutField("covered_by_subregisters", 0x24, layout.U8, "parts make up the whole", _TARGET),
        layout.LayoutField(
            "superclasses", 0x28, layout.pointer("u32"), "numbers of the classes around it", _TARGET
        ),
        layout.LayoutField("num_superclasses", 0x30, layout.U16, "their number", _TARGET),
        layout.LayoutField(
            "raw_allocation_order",
            0x38,
            layout.pointer("code"),
            "order in which to hand out, or null",
            _TARGET,
        ),
    ),
    "A register class. Published notes on tileiras list the members and give no offsets.",
)

REGISTER_CLASS_LAYOUTS: tuple[layout.AbiLayout, ...] = (
    layout.both("mc_register_class", REGISTER_CLASSES, MC_REGISTER_CLASS),
    layout.both("target_register_class", REGISTER_CLASSES, TARGET_REGISTER_CLASS),
)

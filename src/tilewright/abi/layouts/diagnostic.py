"""The layouts of diagnostics in flight."""

from __future__ import annotations

from tilewright.abi import layout
from tilewright.abi.layouts.containers import THREE_POINTER_VECTOR, inline_marker, small_vector

FAMILY = "diagnostics"
_SOURCE = "Diagnostic ABI and Helpers"
INLINE_ARGUMENTS = 4
EMPTY_ARGUMENTS = inline_marker(INLINE_ARGUMENTS)

NOTE_WORD, ERROR_WORD, TRACE_WORD = 0x101, 0x103, 0x104
"""Values seen in the severity field of diagnostics: the class is in the low byte, flags are above it."""

ARGUMENT_KINDS = {1: "placeholder", 2: "integer", 3: "C string", 4: "owned string", 5: "string", 6: "twine"}
UPSTREAM_ARGUMENT_KINDS = {0: "attribute", 1: "double", 2: "integer", 3: "string", 4: "type", 5: "unsigned"}

ARGUMENT = layout.Struct(
    "DiagnosticArgument",
    24,
    (
        layout.LayoutField(
            "kind", 0x00, layout.U8, ", ".join(f"{k} {v}" for k, v in ARGUMENT_KINDS.items()), _SOURCE
        ),
        layout.LayoutField("value", 0x08, layout.U64, "number or address", _SOURCE),
        layout.LayoutField("aux", 0x10, layout.U64, "length of a string", _SOURCE),
    ),
    "One piece of a message.",
)
UPSTREAM_ARGUMENT = layout.Struct(
    "DiagnosticArgument",
    24,
    (
        layout.LayoutField(
            "kind",
            0x00,
            layout.U32,
            ", ".join(f"{k} {v}" for k, v in UPSTREAM_ARGUMENT_KINDS.items()),
            "MLIR 22",
        ),
        layout.LayoutField(
            "value", 0x08, layout.U64, "number, pointer or first character", "MLIR 22: Diagnostics.h"
        ),
        layout.LayoutField("aux", 0x10, layout.U64, "length of a string", "MLIR 22: Diagnostics.h"),
    ),
    "One piece of a message.",
)
DIAGNOSTIC = layout.Struct(
    "Diagnostic",
    208,
    (
        layout.LayoutField(
            "location", 0x00, layout.pointer("Location"), "null once emitted or moved", _SOURCE
        ),
        layout.bit_field("severity", 0x10, layout.U16, 0, 8, "1 note, 2 warning, 3 error, 4 remark", _SOURCE),
        layout.bit_field(
            "op_prefix", 0x10, layout.U16, 8, 1, "the message starts with the operation", _SOURCE
        ),
        layout.bit_field("trace", 0x10, layout.U16, 9, 1, "a stack trace is attached", _SOURCE),
        layout.bit_field(
            "upper", 0x10, layout.U16, 10, 6, "said to be zero; 0x503 and 0xA03 were seen", _SOURCE
        ),
        layout.view("severity_word", 0x10, layout.U16, "class and flags as one word", _SOURCE),
        layout.LayoutField(
            "arguments", 0x18, layout.pointer("DiagnosticArgument"), "self + 0x28 until the fifth", _SOURCE
        ),
        layout.LayoutField("arguments_size", 0x20, layout.U32, "their number", _SOURCE),
        layout.LayoutField("arguments_capacity", 0x24, layout.U32, "room, 4 inline", _SOURCE),
        layout.view("arguments_word", 0x20, layout.U64, "0x400000000 when empty", _SOURCE),
        layout.LayoutField(
            "inline_arguments",
            0x28,
            layout.ArrayLayout(layout.Embedded(ARGUMENT), INLINE_ARGUMENTS),
            "the first four arguments",
            _SOURCE,
        ),
        layout.LayoutField(
            "owned_strings", 0x88, layout.Embedded(THREE_POINTER_VECTOR), "strings it had to copy", _SOURCE
        ),
        layout.LayoutField(
            "notes", 0xA0, layout.Embedded(THREE_POINTER_VECTOR), "attached diagnostics", _SOURCE
        ),
        layout.LayoutField("sink", 0xB8, layout.pointer("raw_ostream"), "self + 0xC8", _SOURCE),
        layout.LayoutField("alive", 0xC8, layout.U8, "1 until it is emitted", _SOURCE),
    ),
    "A diagnostic that is being put together.",
    notes=(
        "Upstream holds the same 208 bytes as engine (8), diagnostic (192) and a flag (8): every offset of the middle part "
        "is 8 lower there, as another page has it.",
        "Classes count from 1 here; 'error is 2' and 'remark is 3', stated elsewhere, count from 0 as upstream does.",
    ),
)
NOTE = layout.Struct(
    "DiagnosticNote",
    192,
    tuple(field for field in DIAGNOSTIC.fields if field.name not in ("sink", "alive")),
    "An attached diagnostic: no sink.",
)
_MLIR = "MLIR 22: Diagnostics.h"
UPSTREAM_NOTE = layout.Struct(
    "Diagnostic",
    192,
    (
        layout.LayoutField("location", 0x00, layout.pointer("Location"), "where", _MLIR),
        layout.LayoutField("severity", 0x08, layout.U32, "0 note, 1 warning, 2 error, 3 remark", _MLIR),
        layout.LayoutField(
            "arguments",
            0x10,
            layout.Embedded(small_vector(layout.Embedded(UPSTREAM_ARGUMENT), INLINE_ARGUMENTS)),
            "the message",
            _MLIR,
        ),
        layout.LayoutField(
            "owned_strings", 0x80, layout.Embedded(THREE_POINTER_VECTOR), "strings it had to copy", _MLIR
        ),
        layout.LayoutField(
            "notes", 0x98, layout.Embedded(THREE_POINTER_VECTOR), "attached diagnostics", _MLIR
        ),
        layout.LayoutField(
            "metadata",
            0xB0,
            layout.Embedded(small_vector(layout.Embedded(UPSTREAM_ARGUMENT), 0)),
            "further arguments, not shown",
            _MLIR,
        ),
    ),
    "mlir::Diagnostic.",
)
UPSTREAM_DIAGNOSTIC = layout.Struct(
    "InFlightDiagnostic",
    208,
    (
        layout.LayoutField(
            "engine", 0x00, layout.pointer("DiagnosticEngine"), "null once reported or abandoned", _MLIR
        ),
        layout.LayoutField("diagnostic", 0x08, layout.Embedded(UPSTREAM_NOTE), "the diagnostic", _MLIR),
        layout.LayoutField("engaged", 0xC8, layout.U8, "1 while there is one", _MLIR),
    ),
    "mlir::InFlightDiagnostic.",
)
LAYOUTS: tuple[layout.AbiLayout, ...] = (
    layout.AbiLayout(
        "diagnostic_argument",
        FAMILY,
        {layout.Profile.TILEIRAS: ARGUMENT, layout.Profile.UPSTREAM: UPSTREAM_ARGUMENT},
    ),
    layout.AbiLayout(
        "diagnostic",
        FAMILY,
        {layout.Profile.TILEIRAS: DIAGNOSTIC, layout.Profile.UPSTREAM: UPSTREAM_DIAGNOSTIC},
    ),
    layout.AbiLayout(
        "diagnostic_note", FAMILY, {layout.Profile.TILEIRAS: NOTE, layout.Profile.UPSTREAM: UPSTREAM_NOTE}
    ),
)

"""The layouts of diagnostics in flight."""

from __future__ import annotations

from tilewright.abi.layout import (
    U8,
    U16,
    U32,
    U64,
    AbiLayout,
    ArrayLayout,
    Embedded,
    LayoutField,
    Profile,
    Struct,
    bit_field,
    pointer,
    view,
)
from tilewright.abi.layouts.containers import THREE_POINTER_VECTOR, inline_marker, small_vector

FAMILY = "diagnostics"
_SOURCE = "Diagnostic ABI and Helpers"
INLINE_ARGUMENTS = 4
EMPTY_ARGUMENTS = inline_marker(INLINE_ARGUMENTS)

NOTE_WORD, ERROR_WORD, TRACE_WORD = 0x101, 0x103, 0x104
"""Words seen at the severity's place: class in the low byte, flags above."""

ARGUMENT_KINDS = {1: "placeholder", 2: "integer", 3: "C string", 4: "owned string", 5: "string", 6: "twine"}
UPSTREAM_ARGUMENT_KINDS = {0: "attribute", 1: "double", 2: "integer", 3: "string", 4: "type", 5: "unsigned"}

ARGUMENT = Struct(
    "DiagnosticArgument",
    24,
    (
        LayoutField("kind", 0x00, U8, ", ".join(f"{k} {v}" for k, v in ARGUMENT_KINDS.items()), _SOURCE),
        LayoutField("value", 0x08, U64, "number or address", _SOURCE),
        LayoutField("aux", 0x10, U64, "length of a string", _SOURCE),
    ),
    "One piece of a message.",
)
UPSTREAM_ARGUMENT = Struct(
    "DiagnosticArgument",
    24,
    (
        LayoutField(
            "kind", 0x00, U32, ", ".join(f"{k} {v}" for k, v in UPSTREAM_ARGUMENT_KINDS.items()), "MLIR 22"
        ),
        LayoutField("value", 0x08, U64, "number, pointer or first character", "MLIR 22: Diagnostics.h"),
        LayoutField("aux", 0x10, U64, "length of a string", "MLIR 22: Diagnostics.h"),
    ),
    "One piece of a message.",
)
DIAGNOSTIC = Struct(
    "Diagnostic",
    208,
    (
        LayoutField("location", 0x00, pointer("Location"), "null once emitted or moved", _SOURCE),
        bit_field("severity", 0x10, U16, 0, 8, "1 note, 2 warning, 3 error, 4 remark", _SOURCE),
        bit_field("op_prefix", 0x10, U16, 8, 1, "the message starts with the operation", _SOURCE),
        bit_field("trace", 0x10, U16, 9, 1, "a stack trace is attached", _SOURCE),
        bit_field("upper", 0x10, U16, 10, 6, "said to be zero; 0x503 and 0xA03 were seen", _SOURCE),
        view("severity_word", 0x10, U16, "class and flags as one word", _SOURCE),
        LayoutField("arguments", 0x18, pointer("DiagnosticArgument"), "self + 0x28 until the fifth", _SOURCE),
        LayoutField("arguments_size", 0x20, U32, "their number", _SOURCE),
        LayoutField("arguments_capacity", 0x24, U32, "room, 4 inline", _SOURCE),
        view("arguments_word", 0x20, U64, "0x400000000 when empty", _SOURCE),
        LayoutField(
            "inline_arguments",
            0x28,
            ArrayLayout(Embedded(ARGUMENT), INLINE_ARGUMENTS),
            "the first four arguments",
            _SOURCE,
        ),
        LayoutField("owned_strings", 0x88, Embedded(THREE_POINTER_VECTOR), "strings it had to copy", _SOURCE),
        LayoutField("notes", 0xA0, Embedded(THREE_POINTER_VECTOR), "attached diagnostics", _SOURCE),
        LayoutField("sink", 0xB8, pointer("raw_ostream"), "self + 0xC8", _SOURCE),
        LayoutField("alive", 0xC8, U8, "1 until it is emitted", _SOURCE),
    ),
    "A diagnostic that is being put together.",
    notes=(
        "Upstream holds the same 208 bytes as engine (8), diagnostic (192) and a flag (8): every offset of the middle part "
        "is 8 lower there, as another page has it.",
        "Classes count from 1 here; 'error is 2' and 'remark is 3', stated elsewhere, count from 0 as upstream does.",
    ),
)
NOTE = Struct(
    "DiagnosticNote",
    192,
    tuple(field for field in DIAGNOSTIC.fields if field.name not in ("sink", "alive")),
    "An attached diagnostic: no sink.",
)
_MLIR = "MLIR 22: Diagnostics.h"
UPSTREAM_NOTE = Struct(
    "Diagnostic",
    192,
    (
        LayoutField("location", 0x00, pointer("Location"), "where", _MLIR),
        LayoutField("severity", 0x08, U32, "0 note, 1 warning, 2 error, 3 remark", _MLIR),
        LayoutField(
            "arguments",
            0x10,
            Embedded(small_vector(Embedded(UPSTREAM_ARGUMENT), INLINE_ARGUMENTS)),
            "the message",
            _MLIR,
        ),
        LayoutField("owned_strings", 0x80, Embedded(THREE_POINTER_VECTOR), "strings it had to copy", _MLIR),
        LayoutField("notes", 0x98, Embedded(THREE_POINTER_VECTOR), "attached diagnostics", _MLIR),
        LayoutField(
            "metadata",
            0xB0,
            Embedded(small_vector(Embedded(UPSTREAM_ARGUMENT), 0)),
            "further arguments, not shown",
            _MLIR,
        ),
    ),
    "mlir::Diagnostic.",
)
UPSTREAM_DIAGNOSTIC = Struct(
    "InFlightDiagnostic",
    208,
    (
        LayoutField("engine", 0x00, pointer("DiagnosticEngine"), "null once reported or abandoned", _MLIR),
        LayoutField("diagnostic", 0x08, Embedded(UPSTREAM_NOTE), "the diagnostic", _MLIR),
        LayoutField("engaged", 0xC8, U8, "1 while there is one", _MLIR),
    ),
    "mlir::InFlightDiagnostic.",
)
LAYOUTS: tuple[AbiLayout, ...] = (
    AbiLayout(
        "diagnostic_argument", FAMILY, {Profile.TILEIRAS: ARGUMENT, Profile.UPSTREAM: UPSTREAM_ARGUMENT}
    ),
    AbiLayout("diagnostic", FAMILY, {Profile.TILEIRAS: DIAGNOSTIC, Profile.UPSTREAM: UPSTREAM_DIAGNOSTIC}),
    AbiLayout("diagnostic_note", FAMILY, {Profile.TILEIRAS: NOTE, Profile.UPSTREAM: UPSTREAM_NOTE}),
)

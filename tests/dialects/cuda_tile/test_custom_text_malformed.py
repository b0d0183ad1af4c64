"""Malformed custom text: a diagnostic with a place, never an exception of another kind."""

from __future__ import annotations

import random

import pytest

from tests.dialects.cuda_tile.roundtrip import CONTEXT
from tests.dialects.cuda_tile.test_custom_text import in_kernel
from tests.support.invalid.breakages import breakages
from tilewright.dialects.cuda_tile.base import TileOp
from tilewright.dialects.cuda_tile.dialect import OPERATIONS
from tilewright.dialects.cuda_tile.version import LATEST
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.testing import enclosing_module, sample_modules, sample_operations

PARAMETERS = "%i: tile<i32>, %f: tile<f32>, %p: tile<ptr<f32>>, %c: tile<i1>"
VIEW = "tensor_view<8xf32, strides=[1]>"
PARTITION = f"partition_view<tile=(8), {VIEW}>"
MADE = f"    %tv = make_tensor_view %p, shape = [8], strides = [1] : {VIEW}\n    %v = make_partition_view %tv : {PARTITION}\n"
LOADED = f"{PARTITION}, tile<i32> -> tile<8xf32>, token"

MALFORMED = {
    "unknown operation": ("%0 = adf %f, %f : tile<f32>", 10, "custom op 'adf' is unknown"),
    "unknown type": ("%0 = iota : tyle<8xi32>", 17, "unknown type: tyle"),
    "signedness": (
        "%0 = maxi %i, %i sined : tile<i32>",
        22,
        "expected signedness to be one of: {'signed', 'unsigned'}",
    ),
    "predicate": (
        "%0 = cmpf smaller ordered %f, %f : tile<f32> -> tile<i1>",
        15,
        "expected 'comparison_predicate' to be one of: {'equal', 'not_equal', 'less_than', 'less_than_or_equal', "
        "'greater_than', 'greater_than_or_equal'}",
    ),
    "rounding": (
        "%0 = addf %f, %f rounding<full> : tile<f32>",
        31,
        "expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', got: 'full'",
    ),
    "overflow": (
        "%0 = addi %i, %i overflow<some> : tile<i32>",
        35,
        "expected one of none, no_signed_wrap, no_unsigned_wrap, no_wrap for #cuda_tile.overflow, got 'some'",
    ),
    "assumption": (
        "%0 = assume even, %i : tile<i32>",
        17,
        "unknown assume predicate attribute: even (expected 'div_by', 'same_elements', or 'bounded')",
    ),
    "element type": (
        "%0 = constant <f16: 1.0> : tile<f32>",
        32,
        "mismatch between the element type: 'f16' and the tile element type 'f32'",
    ),
    "shape of elements": (
        "%0 = constant <i32: [1, 2]> : tile<4xi32>",
        25,
        "inferred shape of elements literal ([2]) does not match type ([4])",
    ),
    "missing comma": ("%0 = select %c, %i %i : tile<i1>, tile<i32>", 24, "expected ',', got '%i'"),
    "scope of a weak view access": (
        f"%t, %o = load_view_tko weak device %v[%i] : {LOADED}",
        33,
        'operation specifies weak memory ordering semantics, but then provides "device" scope, expected no memory scope.',
    ),
    "no index types": (
        f"%t, %o = load_view_tko weak %v[%i] : {PARTITION} -> tile<8xf32>, token",
        None,
        "index types must be specified when indices are present",
    ),
    "too many index types": (
        f"%t, %o = load_view_tko weak %v[%i] : {PARTITION}, tile<i32>, tile<i32> -> tile<8xf32>, token",
        None,
        "expected 1 index types, got 2",
    ),
    "a type without an index": (
        f"%t, %o = load_view_tko weak %v[] : {PARTITION}, tile<i32> -> tile<8xf32>, token",
        None,
        "expected 0 index types, got 1",
    ),
    "mode": (
        "%t, %o = atomic_rmw_tko relaxed device %p, plus, %f : tile<ptr<f32>>, tile<f32> -> tile<f32>, token",
        48,
        "expected string or keyword containing one of the following enum values for attribute 'mode' "
        "[and, or, xor, add, addf, max, min, umax, umin, xchg]",
    ),
    "extents against the type": (
        f"%t = make_tensor_view %p, shape = [4], strides = [1] : {VIEW}",
        40,
        "input shape dimension 0 does not match tensor_view type (expected 8, got 4)",
    ),
    "number of extents": (
        f"%t = make_tensor_view %p, shape = [], strides = [1] : {VIEW}",
        39,
        "expected shape declaration to contain 1 elements due to tensor_view type, but 0 were provided",
    ),
    "a view of nothing": (
        "%t = make_partition_view %p : tile<ptr<f32>>",
        35,
        "expected 'partition_view' type, but got '!cuda_tile.tile<ptr<f32>>'",
    ),
    "shape of no view": (
        "%t = get_tensor_shape %p : tile<ptr<f32>> -> tile<i32>",
        None,
        "expected tensor_view, got '!cuda_tile.tile<ptr<f32>>'",
    ),
    "hints twice": (
        f"%t, %o = load_view_tko weak %v[%i] optimization_hints = <sm_90 = {{}}, sm_90 = {{}}> : {LOADED}",
        74,
        "duplicate optimization_hints key `sm_90`",
    ),
    "carried values": (
        "for %x in (%i to %i, step %i) : tile<i32> iter_values(%a = %f) -> (tile<f32>, tile<f32>) {}",
        47,
        "mismatch in number of loop-carried values and defined values",
    ),
    "types of carried values": (
        "loop iter_values(%a = %f) : tile<f32>, tile<f32> {}",
        10,
        "found different number of iter_values and types",
    ),
}
"""What stands in a kernel -> the column of the diagnostic (None: anywhere in the line) and its text."""


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_operations(name: str) -> None:
    line, column, message = MALFORMED[name]
    text = in_kernel(f"{MADE}    {line}", PARAMETERS)
    with pytest.raises(DiagnosticError) as caught:
        parse_module(CONTEXT, text, "kernel.mlir")
    first = caught.value.diagnostics[0]
    assert message in first.message
    assert first.location.source is not None
    file, row, found = first.location.source
    assert (file, row) == ("kernel.mlir", 5)
    if column is not None:
        assert found == column, (found, column)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("cuda_tile.module {}", (1, 18), "expected valid '@'-identifier for symbol name, got '{'"),
        ("cuda_tile.module @m {\n  entry @k(tile<i32>) {}\n}", (2, 12), "expected SSA operand"),
        ("cuda_tile.module @m {\n  entry @k() {\n", (3, 1), "expected '}' to close this region"),
        (
            "cuda_tile.module @m {\n  global @g <i32: [1]>\n}",
            (2, 23),
            "expected ':', got '}'",
        ),
        (
            'cuda_tile.module @m {} loc(#cuda_tile.di_loc<loc("a":1:1) in #cuda_tile.di_compile_unit<>>)',
            (1, 89),
            "expected a parameter name in struct",
        ),
        (
            "cuda_tile.module @m {\n  entry @k() optimization_hints=<sm_90 = 3> {}\n}",
            (2, 33),
            "expected dictionary attribute for optimization_hints entry `sm_90` got value=3",
        ),
    ],
)
def test_malformed_modules(text: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        parse_module(CONTEXT, text, "kernel.mlir")
    first = caught.value.diagnostics[0]
    assert message in first.message
    assert first.location.source == ("kernel.mlir", *place)


def test_damaged_texts_never_crash() -> None:
    """Cutting, doubling and swapping pieces of valid texts gives modules or diagnostics."""
    chance = random.Random(7)
    refused = 0
    for module in sample_modules(40):
        text = str(module)
        for _ in range(8):
            start = chance.randrange(len(text))
            end = min(len(text), start + chance.randrange(1, 12))
            damaged = (
                text[:start] + chance.choice(("", text[start:end] * 2, "%", "<", "-1", "{")) + text[end:]
            )
            try:
                verify(parse_module(CONTEXT, damaged))
            except DiagnosticError:
                refused += 1
    assert refused > 100


BROKEN_AT_MOST = 12
"""So many broken copies of one instance of each operation are printed."""


def _copy(module: Operation, op: Operation) -> tuple[Operation, Operation]:
    """A copy of a module, and what an operation in it became."""
    number = next(place for place, inner in enumerate(module.walk()) if inner is op)
    copy = module.clone()
    return copy, next(inner for place, inner in enumerate(copy.walk()) if place == number)


@pytest.mark.parametrize("op_class", OPERATIONS, ids=lambda op_class: op_class.op_kind.mnemonic)
def test_broken_operations_can_be_printed(op_class: type[TileOp]) -> None:
    """What the custom form cannot show has the generic form."""
    (op, *_) = sample_operations(op_class, 1, LATEST)
    module = enclosing_module(op)
    changes = list(breakages(op, []))
    for change in changes[:: max(1, len(changes) // BROKEN_AT_MOST)]:
        copy, broken = _copy(module, op)
        change.apply(broken)
        assert op_class.op_kind.mnemonic in str(copy), change.name


def test_types_that_should_agree_show() -> None:
    parameters = "%i: tile<i32>, %j: tile<i64>"
    module = parse_module(CONTEXT, in_kernel("    %0 = addi %i, %i : tile<i32>", parameters))
    (op,) = [inner for inner in module.walk() if inner.kind.mnemonic == "addi"]
    op.set_operand(1, module.regions[0].block.ops[0].regions[0].block.arguments[1])
    assert '"cuda_tile.addi"(%arg0, %arg1)' in str(module)


def test_a_missing_attribute_shows() -> None:
    module = parse_module(CONTEXT, in_kernel("    %0 = maxi %i, %i signed : tile<i32>", "%i: tile<i32>"))
    (op,) = [inner for inner in module.walk() if inner.kind.mnemonic == "maxi"]
    del op.attributes["signedness"]
    assert '%0 = "cuda_tile.maxi"(%arg0, %arg0) : ' in str(module)

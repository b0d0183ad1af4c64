"""Texts and decisions of the public tools that are easily lost: parse errors, enums by number, equal elements."""

from __future__ import annotations

import pytest

from tests.dialects.cuda_tile.roundtrip import CONTEXT
from tilewright.bytecode import write_bytecode
from tilewright.dialects.cuda_tile.version import LATEST
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify

VIEW = "partition_view<tile=(4), tensor_view<8xf32, strides=[1]>>"
LIST = "'nearest_even', 'zero', 'negative_inf', 'positive_inf'"


def parsed(body: str, parameters: str = "%i: tile<i32>, %f: tile<f32>, %p: tile<ptr<f32>>") -> Operation:
    text = f"cuda_tile.module @m {{\n  entry @k({parameters}) {{\n    {body}\n    return\n  }}\n}}"
    return parse_module(CONTEXT, text, "kernel.mlir")


def messages(body: str) -> list[str]:
    """What is wrong, by the parser or the verifier."""
    try:
        return [diagnostic.message for diagnostic in verify(parsed(body))]
    except DiagnosticError as error:
        return [diagnostic.message for diagnostic in error.diagnostics]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "%0 = maxi %i, %i : tile<i32>",
            [
                "custom op 'cuda_tile.maxi' expected valid keyword, got ':'",
                "custom op 'cuda_tile.maxi' expected signedness to be one of: {'signed', 'unsigned'}",
            ],
        ),
        (
            "%0 = itof %i signed rounding<full> : tile<i32> -> tile<f32>",
            [f"custom op 'cuda_tile.itof' expected rounding mode to be one of: {LIST}, got: 'full'"],
        ),
        (
            "%0 = ftoi %f signed rounding<zero> : tile<f32> -> tile<i32>",
            [
                "custom op 'cuda_tile.ftoi' expected rounding mode to be one of: 'nearest_int_to_zero', got: 'zero'"
            ],
        ),
        (
            "%0 = tanh %f rounding<zero> : tile<f32>",
            ["'cuda_tile.tanh' op invalid rounding mode specified, expect one of [approx, full]"],
        ),
        (
            '%0 = "cuda_tile.addi"(%i) : (tile<i32>, tile<i32>) -> tile<i32>'.replace(
                "tile<", "!cuda_tile.tile<"
            ),
            ["expected 1 operand type but had 2"],
        ),
        (
            "%0 = reduce %i dim=0 identities=[0 : i32] : tile<i32>, tile<i32> -> tile<i32> (%a: tile<i32>) {}",
            [
                "custom op 'cuda_tile.reduce' number of operands and types do not match: got 1 operands and 2 types"
            ],
        ),
        ("%0 = loop {}", ["cannot name an operation with no results"]),
        (
            "assume 3 : i32, %i : tile<i32>",
            ["custom op 'cuda_tile.assume' expected assume predicate attribute"],
        ),
        ("%0 = constant <i8: true> : tile<i8>", ["custom op 'cuda_tile.constant' expected integer value"]),
        ("%0 = constant <i8: word> : tile<i8>", ["custom op 'cuda_tile.constant' expected integer value"]),
        (
            "%0, %1 = load_ptr_tko weak %p, %p : tile<ptr<f32>>, tile<ptr<f32>> -> tile<f32>, token",
            [
                "'cuda_tile.load_ptr_tko' op operand #1 must be tile of i1 values, but got "
                "'!cuda_tile.tile<ptr<f32>>'"
            ],
        ),
        (
            "%x = reduce %q dim=0 identities=[0 : i32] : tile<4xi32> -> tile<1xi32> (%a: tile<i32>, %b: tile<i32>) "
            "{ yield %a : tile<i32> }\n    %q = iota : tile<4xi32>",
            [
                "'cuda_tile.reduce' op inferred type(s) '!cuda_tile.tile<i32>' are incompatible with return type(s) of "
                "operation '!cuda_tile.tile<1xi32>'",
                "'cuda_tile.reduce' op failed to infer returned types",
            ],
        ),
        (
            "%x = reduce %q dim=0 identities=[0 : i32] : tile<4xi32> -> tile<i32> () {}\n    %q = iota : tile<4xi32>",
            ["'cuda_tile.reduce' op region #0 ('body') failed to verify constraint: region with 1 blocks"],
        ),
    ],
)
def test_words(body: str, expected: list[str]) -> None:
    assert messages(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "%0 = loop iter_values(%x = %in) : tile<i32> -> tile<i32> { %in = addi %i, %i : tile<i32> break %x : tile<i32> }",
        "for %x in (%i to %in, step %i) : tile<i32> { %in = addi %i, %i : tile<i32> }",
    ],
)
def test_a_loop_does_not_see_into_itself(body: str) -> None:
    assert messages(body) == ["use of undeclared SSA value name '%in'"]


def test_a_missing_token_is_told_where_the_line_ends() -> None:
    with pytest.raises(DiagnosticError) as caught:
        parsed("%0 = addi %i // more\n\n    , %i")
    assert caught.value.diagnostics[0].location.source == ("kernel.mlir", 5, 9)


def test_a_literal_without_a_dot() -> None:
    with pytest.raises(DiagnosticError) as caught:
        parsed("%0 = constant <f32: [1.0, 2]> : tile<4xf32>")
    (problem,) = caught.value.diagnostics
    assert problem.message == "unexpected decimal integer literal for a floating point value"
    assert [note.message for note in problem.notes] == ["add a trailing dot to make the literal a float"]


def test_cases_by_number() -> None:
    """The generic text of MLIR has numbers in place of some enum cases."""
    head = (
        f"%v = make_partition_view %t : {VIEW}\n    %t = make_tensor_view %p, shape = [8], strides = [1] : "
    )
    head = (
        "%t = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>\n    "
        + head.split("\n")[0]
    )
    module = parsed(
        f"{head}\n    "
        '%a, %b = "cuda_tile.load_view_tko"(%v, %i) <{memory_ordering_semantics = 1 : i32, memory_scope = 2 : i32, '
        f"operandSegmentSizes = array<i32: 1, 1, 0>}}> : (!cuda_tile.{VIEW}, !cuda_tile.tile<i32>) -> "
        "(!cuda_tile.tile<4xf32>, !cuda_tile.token)"
    )
    assert verify(module) == []
    assert "load_view_tko relaxed sys %pview[%arg0]" in module.print()


def test_equal_elements_are_one() -> None:
    module = parsed("%0 = constant <i32: [[7, 7], [7, 7]]> : tile<2x2xi32>")
    assert "constant <i32: 7> : tile<2x2xi32>" in module.print()


def test_hints_without_entries_are_not_shown() -> None:
    text = "cuda_tile.module @m { entry @k() optimization_hints=<> { return } }"
    assert "optimization_hints" not in parse_module(CONTEXT, text).print()


HALF = "tensor_view<{extents}xf16, strides=[{strides}], #cuda_tile.ptr_attr<multicast>>"
MULTICAST = "tile<ptr<f16, <multicast>>>"


def _multimem(extents: str, strides: str, tile: str) -> list[str]:
    tensor = HALF.format(extents=extents, strides=strides)
    view = f"partition_view<tile=({tile}), {tensor}>"
    index = ", ".join(["%i"] * (tile.count("x") + 1))
    shape = extents.replace("x", ", ")
    body = (
        f"%t = make_tensor_view %h, shape = [{shape}], strides = [{strides}] : {MULTICAST} -> {tensor}\n"
        f"    %v = make_partition_view %t : {view}\n"
        f"    %a, %b = multimem_load_reduce_view_tko weak %v[{index}] : {view}, tile<i32> -> tile<{tile}xf16>, token"
    )
    module = parsed(body, f"%h: {MULTICAST}, %i: tile<i32>")
    return [problem.message.partition(" op ")[2] for problem in verify(module)]


@pytest.mark.parametrize(
    ("extents", "strides", "tile", "expected"),
    [
        ("8x8", "8,1", "2x4", ""),
        ("8x8", "1,8", "2x1", ""),
        ("8x8", "1,1", "2x4", "exactly one element stride statically known to equal 1; got 2"),
        ("8x8", "8,2", "2x4", "exactly one element stride statically known to equal 1; got 0"),
        ("8", "1", "1", "got 1 element(s) of 16 bits (total 16 bits)"),
        ("8x8", "8,2", "1x1", "got 1 element(s) of 16 bits (total 16 bits)"),
    ],
)
def test_halves_go_to_all_devices_in_pairs(extents: str, strides: str, tile: str, expected: str) -> None:
    found = _multimem(extents, strides, tile)
    assert len(found) == bool(expected)
    assert all(message.endswith(expected) for message in found)


def test_pointers_to_four_bits_stand_alone() -> None:
    text = "tiles of ptr<f4E2M1FN> must have rank 0; use an f4 tile view for memory accesses"
    cast = "%0 = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<f4E2M1FN>>\n    "
    assert messages(cast) == []
    assert messages(f"{cast}%1 = reshape %0 : tile<ptr<f4E2M1FN>> -> tile<1xptr<f4E2M1FN>>") == [text]


def test_scopes_of_globals_come_first() -> None:
    """A module with a scoped operation that may not be there at all: the scope is told."""
    text = (
        'cuda_tile.module @m { constant <i32: 1> : tile<i32> loc(#cuda_tile.di_loc<loc("a":1:1) in '
        '#cuda_tile.di_subprogram<file = <"a" in "b">, line = 1, name = "f", linkageName = "f", '
        'compileUnit = <file = <"a" in "b">>>>) }'
    )
    (problem,) = verify(parse_module(CONTEXT, text))
    assert problem.message.endswith("Global variables must not have scope.")


def test_the_writer_takes_what_is_parsed() -> None:
    assert write_bytecode(parsed("%0 = constant <f16: [1.0, 1.0]> : tile<2xf16>"), LATEST)

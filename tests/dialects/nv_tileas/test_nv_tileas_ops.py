"""The operations of ``nv_tileas``: text both ways, every single broken constraint, refusals in their words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import dialect_checks
from tests.support.upstream import (
    broken,
    check_refusals,
    context,
    instances,
    missing_instances,
    operation_names,
    round_trip,
)
from tilewright.dialects.common.interfaces import MemoryConsistencyOpInterface, interface_map
from tilewright.dialects.llvm.dialect import LLVM
from tilewright.dialects.nv_tileaa.dialect import NV_TILEAA
from tilewright.dialects.nv_tileas import ops_pipeline
from tilewright.dialects.nv_tileas.attributes import LinearLayoutAttr, whole_tile
from tilewright.dialects.nv_tileas.base import LAYOUT_NAME
from tilewright.dialects.nv_tileas.dialect import NV_TILEAS
from tilewright.dialects.nv_tileas.ops_arith import BY_MNEMONIC, BY_SOURCE, ways_of
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.text.parser import parse_attribute, parse_module, parse_type
from tilewright.layouts.fragments import fragment

CONTEXT = context(LLVM, NV_TILEAA, NV_TILEAS)
FOLDER = Path(__file__).parent
INSTANCES = instances(FOLDER / "instances.mlir")
BROKEN = broken(FOLDER / "broken.mlir")

TILES_TEXT = """
alloc_tensor cancel_next_program_id convert_layout copy create_none dot expand_dims extract_slice gather_load generate
insert_slice load make_tiled_tma_desc pragma reduce reinterpret scan scatter_store shuffle store tiled_atomic_rmw
tiled_load tiled_store view yield
"""
TILES = TILES_TEXT.split()
ASYNC_TEXT = """
cancel_next_program_id copy dot extract_slice future_wait gather_tma_load insert_slice load scatter_tma_store store
tiled_atomic_rmw tiled_load tiled_tma_load tiled_tma_store to_async token_to_async wait
"""
ASYNC = ASYNC_TEXT.split()
PIPELINE_TEXT = """
create_pipeline produce_one produce_one_async consume_one consume_one_async consumer_read producer_write
producer_acquire producer_commit consumer_wait consumer_release yield inc_iter create_iterator agent_switch
create_null_token
"""
PIPELINE = PIPELINE_TEXT.split()
"""In the order of their numbers; references reserve the last number, and have an operation more than numbers."""
MNEMONICS = {*TILES, *(f"async.{name}" for name in ASYNC), *(f"async.pipeline.{name}" for name in PIPELINE)}


def test_the_operation_table_is_complete() -> None:
    mine = {op.op_kind.mnemonic for op in NV_TILEAS.operations}
    assert len(MNEMONICS) == 58
    assert mine == {*MNEMONICS, *BY_MNEMONIC}
    assert len(mine) == 107


def test_pipeline_operations_stand_in_the_order_of_their_numbers() -> None:
    assert [op.op_kind.mnemonic.removeprefix("async.pipeline.") for op in ops_pipeline.OPERATIONS] == PIPELINE


def test_arithmetic_is_that_of_arith_on_tiles() -> None:
    for source, mine in BY_SOURCE.items():
        theirs, ours = source.op_kind, mine.op_kind
        assert ours.mnemonic == theirs.mnemonic
        assert not issubclass(mine, source)
        assert [f.name for f in ours.operands] == [f.name for f in theirs.operands]
        said = [field.ir_name for field in (*theirs.attributes, *ways_of(source))]
        assert [field.ir_name for field in ours.attributes] == [LAYOUT_NAME, *said]
        assert ours.trait_classes == theirs.trait_classes
        assert ours.summary.endswith(".")


def test_layouts_are_attributes_of_operations_that_have_tiles_as_results() -> None:
    """Only pipelines and accounts of values that stay where they are have none."""
    tiles = {
        "tiled_load",
        "dot",
        "load",
        "reduce",
        "scan",
        "view",
        "convert_layout",
        "alloc_tensor",
        *BY_MNEMONIC,
    }
    for op in NV_TILEAS.operations:
        if op.op_kind.mnemonic in tiles:
            assert LAYOUT_NAME in op.op_kind.attributes_by_ir_name, op.op_kind.name


def test_one_thread_owning_a_whole_tile_is_a_layout() -> None:
    assert str(whole_tile((8, 64))) == "#nv_tileas.layout<(1,(8,64)),(0,(64,1))>"


def test_arithmetic_reads_as_in_arith() -> None:
    """The custom form is that of ``arith``; layouts stand in the dictionary."""
    text = next(text for text in INSTANCES if '"nv_tileas.cmpi"' in text)
    module = parse_module(CONTEXT, text)
    printed = module.print()
    layout = "{nv_tileas.layout = #nv_tileas.layout<(1,(8,64)),(0,(64,1))>}"
    assert f"nv_tileas.cmpi sgt, %0, %1 {layout} : tensor<8x64xi32>" in printed
    assert parse_module(CONTEXT, printed).print() == printed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#nv_tileas.layout<(1,2),3>", "expected shape and stride of one form"),
        ("#nv_tileas.layout<(1,-2),(1,1)>", "expected unsigned numbers"),
        ("#nv_tileas.layout<1,1,color=red>", "expected 'swizzle' or 'elem'"),
        ("!nv_tileas.pipeline<(f32), 0>", "expected a positive number of stages and consumers"),
        ('#nv_tileas.linear_layout<"(8) lane=4:1@0">', "holds every element, got \\(8\\) lane=4:1@0"),
        ('#nv_tileas.linear_layout<"(8) lane=3:1@0">', "an extent that is a power of two, got 3"),
        (
            'tensor<4xf32, #nv_tileas.linear_layout<"(8) lane=8:1@0">>',
            "expected a layout of \\(4\\) elements, got one of \\(8\\)",
        ),
        ("#nv_tileas.thread_arrays<96>", "expected a power of two of threads, got 96"),
        (
            "tensor<4x64xf32, #nv_tileas.thread_arrays<128>>",
            "expected 4 elements for each of 128 threads, got \\(4,64\\)",
        ),
    ],
)
def test_layouts_and_pipelines_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(DiagnosticError, match=message):
        (parse_attribute if text[0] == "#" else parse_type)(CONTEXT, text)


def test_an_encoding_is_one_whatever_its_text() -> None:
    first, second = (
        parse_type(CONTEXT, f'tensor<16x8xf32, #nv_tileas.linear_layout<"(16,8) {levels}">>')
        for levels in (
            "register=(2,2):(1@1,8@0) lane=(4,8):(2@1,1@0)",
            "lane=(2,2,8):(2@1,4@1,1@0)  register=(2,2):(1@1,8@0)",
        )
    )
    assert first is second
    assert isinstance(first, RankedTensorType)
    assert isinstance(first.encoding, LinearLayoutAttr)
    assert first.encoding.layout == fragment("mma.m16n8k16.C.f32")
    assert LinearLayoutAttr.of(first.encoding.layout) is first.encoding


def test_a_tile_may_be_in_arrays_of_threads() -> None:
    text = "tensor<16x64xf32, #nv_tileas.thread_arrays<128>>"
    assert str(parse_type(CONTEXT, text)) == text


def test_operations_that_nothing_may_cross_say_so() -> None:
    """Accesses, copies, reductions and descriptors take part in memory order; allocation and slices do not."""
    ordered = {
        op.op_kind.mnemonic
        for op in NV_TILEAS.operations
        if MemoryConsistencyOpInterface in interface_map(op)
    }
    named = {"async.load", "async.store", "async.copy", "async.dot", "async.wait", "copy", "reduce", "scan"}
    assert named | {"make_tiled_tma_desc", "async.tiled_tma_load", "async.tiled_tma_store"} <= ordered
    assert not ordered & {
        "alloc_tensor",
        "insert_slice",
        "extract_slice",
        "view",
        "async.future_wait",
        *BY_MNEMONIC,
    }


def test_everything_is_documented() -> None:
    for op in NV_TILEAS.operations:
        kind = op.op_kind
        assert kind.summary.endswith((".", ";", ":")), kind.name
        for field in (*kind.operands, *kind.results, *kind.attributes, *kind.regions):
            assert field.doc, f"{kind.name} {field.name}"


def test_every_operation_has_an_instance() -> None:
    assert missing_instances(NV_TILEAS, INSTANCES) == set()


@pytest.mark.parametrize("text", INSTANCES, ids=lambda text: min(operation_names(text) - {"builtin.module"}))
def test_instances_round_trip(text: str) -> None:
    round_trip(text, CONTEXT)


def test_every_single_broken_constraint_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialect_checks, "DIALECTS", (*dialect_checks.DIALECTS, LLVM, NV_TILEAA, NV_TILEAS))
    dialect_checks.check_single_breakages(NV_TILEAS, INSTANCES)


def test_broken_modules_are_refused() -> None:
    check_refusals(BROKEN, CONTEXT)

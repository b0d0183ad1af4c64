"""The operations of ``nv_tileaa``: text both ways, every single broken constraint, refusals in their words."""

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
from tilewright.dialects.llvm.dialect import LLVM
from tilewright.dialects.nv_tileaa.dialect import NV_TILEAA

CONTEXT = context(LLVM, NV_TILEAA)
FOLDER = Path(__file__).parent
INSTANCES = instances(FOLDER / "instances.mlir")
BROKEN = broken(FOLDER / "broken.mlir")

OPERATIONS_TEXT = """
addf addptr assert assume atomic_cas atomic_rmw bitcast block_tile broadcast call call_elementwise_intrinsic
cancel_next_program_id cat clampf conv_dot conv_tile create_mem_token create_queue divf dot elementwise_inline_asm
execute exp2 expand_dims extern_elementwise extract extract_slice fma fp_to_fp func gather_load generate get_dim_size
get_global get_num_programs get_program_id global histogram inject_ir int_to_ptr is_valid_program_id join_mem_token
launch_func load make_memref make_range mark_for_reuse message mulf mulhiui optimization_barrier permute plugin pragma
print ptr_to_int queue.get queue.put queue.yield reduce return rsqrt scan scatter_store splat sqrt store subf
tiled_atomic_rmw tiled_load tiled_store view yield
"""
OPERATIONS = OPERATIONS_TEXT.split()
"""The published operations."""
OWN = [
    "allocate",
    "check",
    "constant_tensor",
    "exp",
    "fence_alias",
    "fptosi",
    "fptoui",
    "launch_dependents",
    "maximumf",
    "maxnumf",
    "minimumf",
    "minnumf",
    "tanh",
    "wait_for_grid",
    "with_operands",
]
"""Operations of our own: `math` and `arith` have most, and nothing to say there how they round, flush or saturate; memory
and orderings of Tile IR have no others, and neither have checks."""


def test_the_operation_table_is_complete() -> None:
    mine = {op.op_kind.mnemonic for op in NV_TILEAA.operations}
    assert len(OPERATIONS) == 73
    assert mine == {*OPERATIONS, *OWN}


def test_everything_is_documented() -> None:
    for op in NV_TILEAA.operations:
        kind = op.op_kind
        assert kind.summary.endswith((".", ";", ":")), kind.name
        for field in (*kind.operands, *kind.results, *kind.attributes, *kind.regions):
            assert field.doc, f"{kind.name} {field.name}"


def test_every_operation_has_an_instance() -> None:
    assert missing_instances(NV_TILEAA, INSTANCES) == set()


@pytest.mark.parametrize("text", INSTANCES, ids=lambda text: min(operation_names(text) - {"builtin.module"}))
def test_instances_round_trip(text: str) -> None:
    round_trip(text, CONTEXT)


def test_every_single_broken_constraint_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dialect_checks, "DIALECTS", (*dialect_checks.DIALECTS, LLVM, NV_TILEAA))
    dialect_checks.check_single_breakages(NV_TILEAA, INSTANCES)


def test_broken_modules_are_refused() -> None:
    check_refusals(BROKEN, CONTEXT)

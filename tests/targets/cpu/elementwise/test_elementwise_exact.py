"""Operations on elements whose results are exact agree with the interpreter bit for bit."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from tests.targets.cpu.elementwise import elementwise_cases as cases
from tests.targets.cpu.elementwise.elementwise_harness import Compiled, format_of
from tests.targets.cpu.elementwise.elementwise_inputs import everything, operands_of
from tilewright.dialects.arith.dialect import ARITH
from tilewright.dialects.arith.ops_float import MaximumFOp
from tilewright.dialects.arith.ops_integer import DivUIOp, RemUIOp, ShRUIOp
from tilewright.dialects.math.dialect import MATH
from tilewright.dialects.nv_tileaa.dialect import NV_TILEAA
from tilewright.dialects.nv_tileas.dialect import NV_TILEAS
from tilewright.driver.startup import context
from tilewright.interp.numerics.element import to_bits
from tilewright.ir.text.parser import parse_module
from tilewright.targets.cpu.machine.host import obstacle, processor
from tilewright.targets.cpu.nest import elementwise
from tilewright.targets.elements import rounding as rounding
from tilewright.targets.elements.lanes import is_blind, shows_nan

SMALL = 8
FAMILIES = {
    "float arithmetic": cases.float_arithmetic,
    "float functions": cases.float_functions,
    "integer arithmetic": cases.integer_arithmetic,
    "float conversions": cases.float_conversions,
    "integer conversions": cases.integer_conversions,
    "bitcasts": cases.bitcasts,
}


def inputs_of(exact: cases.Exact) -> list[Any]:
    types = exact.case.types
    format = format_of(types[0])
    if len(types) == 1 and format.bits <= SMALL:
        return [everything(format)]
    return operands_of(types)


def difference(exact: cases.Exact, compiled: Compiled) -> str | None:
    """The first operands for which code and interpreter disagree."""
    operands = inputs_of(exact)
    with np.errstate(all="ignore"):
        expected = np.asarray(exact.reference(*operands))
    got = compiled.run(exact.case.name, exact.result, *operands)
    format = format_of(exact.result)
    left, right = to_bits(got, format), to_bits(expected, format)
    wrong = np.flatnonzero(left != right)
    if not wrong.size:
        return None
    at = wrong[0]
    return (
        f"{exact.case.name}: {wrong.size} of {left.size}, first {[operand[at] for operand in operands]} "
        f"gives {got[at]} ({int(left[at]):#x}) and not {expected[at]} ({int(right[at]):#x})"
    )


@pytest.mark.parametrize("family", FAMILIES)
def test_results_are_those_of_the_interpreter(family: str) -> None:
    chosen = list(FAMILIES[family]())
    compiled = Compiled([exact.case for exact in chosen])
    problems = [problem for exact in chosen if (problem := difference(exact, compiled)) is not None]
    assert problems == []


# --- faults that the comparison has to notice


def _nearest_away(at: Any) -> Any:
    return at.rest.compare("UGE", at.half)


def _truncating(at: Any) -> None:
    return None


FAULTS = {
    "ties away from even": ("ftof_f32_f8E4M3FN_nearest_even_16", rounding, "nearest_even", _nearest_away),
    "no rounding": ("ftof_f32_f4E2M1FN_nearest_even_16", rounding, "nearest_even", _truncating),
    "down as towards zero": ("add_bf16_negative_inf_16", rounding, "negative_inf", _truncating),
    "up as towards zero": ("mul_f64_positive_inf_8", rounding, "positive_inf", _truncating),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_wrong_rounding_is_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, module, mode, rule = FAULTS[fault]
    monkeypatch.setitem(module.MODES, mode, module.RoundingDecision(rule, module.MODES[mode].overflows))
    families = (cases.float_arithmetic, cases.float_conversions)
    exact = next(exact for family in families for exact in family() if exact.case.name == name)
    assert difference(exact, Compiled([exact.case])) is not None


SWAPPED = {
    "divsi_i32_16": DivUIOp,
    "shrsi_i8_16": ShRUIOp,
    "maxnumf_f32_16": MaximumFOp,
    "remsi_i64_16": RemUIOp,
}


@pytest.mark.parametrize("name", SWAPPED)
def test_a_wrong_rule_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    families = (cases.integer_arithmetic, cases.float_functions)
    exact = next(exact for family in families for exact in family() if exact.case.name == name)
    op = exact.case.make.func if isinstance(exact.case.make, partial) else exact.case.make
    monkeypatch.setitem(elementwise.RULES, op, elementwise.RULES[SWAPPED[name]])
    assert difference(exact, Compiled([exact.case])) is not None


# --- other processors

OLDER = {
    "add_f16_nearest_even",
    "ftof_f16_f32",
    "ftof_f32_f16",
    "ftof_f64_f16_nearest_even",
    "fma_f32_nearest_even",
}


@pytest.mark.parametrize("cpu", ["x86-64-v2", "x86-64-v3"])
def test_results_do_not_depend_on_the_processor(cpu: str) -> None:
    if obstacle(processor(cpu)):
        pytest.skip(f"this machine does not run {cpu}")
    families = (cases.float_arithmetic, cases.float_conversions, cases.integer_arithmetic)
    chosen = [
        exact for family in families for exact in family() if exact.case.name.startswith((*OLDER, "div"))
    ]
    compiled = Compiled([exact.case for exact in chosen], cpu)
    assert [problem for exact in chosen if (problem := difference(exact, compiled)) is not None] == []


# --- who sees the bits of a NaN

SEEN = """
func.func @seen(%x: tensor<8xf32>, %n: i32) -> tensor<8xf32> {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = arith.addf %x, %x : tensor<8xf32>
  %b = arith.mulf %a, %x : tensor<8xf32>
  %bits = arith.bitcast %b : tensor<8xf32> to tensor<8xi32>
  %c = arith.subf %x, %x : tensor<8xf32>
  %blind = scf.for %i = %zero to %n step %one iter_args(%held = %x) -> (tensor<8xf32>) : i32 {
    %d = arith.addf %held, %c : tensor<8xf32>
    scf.yield %d : tensor<8xf32>
  }
  %sum = arith.addf %blind, %x : tensor<8xf32>
  %stored = scf.for %i = %zero to %n step %one iter_args(%held = %x) -> (tensor<8xf32>) : i32 {
    %e = arith.mulf %held, %c : tensor<8xf32>
    scf.yield %e : tensor<8xf32>
  }
  func.return %stored : tensor<8xf32>
}
"""


def test_bits_of_nan_are_seen_where_they_are_stored_or_read() -> None:
    module = parse_module(context(), SEEN, implicit_module=True)
    computed = [op.results[0] for op in module.walk() if op.kind.mnemonic in ("addf", "mulf", "subf")]
    assert [shows_nan(value, stored=True) for value in computed] == [False, True, False, False, False, True]


STORED = """
func.func @stored(%x: tensor<8xf32>, %p: tensor<8x!nv_tileaa.ptr<f32, 1>>) {
  %a = arith.addf %x, %x : tensor<8xf32>
  %b = arith.negf %a : tensor<8xf32>
  "nv_tileas.store"(%p, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}>
    : (tensor<8x!nv_tileaa.ptr<f32, 1>>, tensor<8xf32>) -> ()
  %c = arith.mulf %x, %x : tensor<8xf32>
  %d = math.absf %c : tensor<8xf32>
  %bits = arith.bitcast %d : tensor<8xf32> to tensor<8xi32>
  func.return
}
"""


def test_stores_may_hide_which_nan_it_is() -> None:
    """A target whose instructions have a single NaN stores it; where bits are read, they are the interpreter's."""
    module = parse_module(context(), STORED, implicit_module=True)
    computed = [op.results[0] for op in module.walk() if op.kind.mnemonic in ("addf", "mulf")]
    assert [shows_nan(value, stored=True) for value in computed] == [True, True]
    assert [shows_nan(value, stored=False) for value in computed] == [False, True]


def test_operations_that_compute_with_floats_do_not_see_which_nan_it_is() -> None:
    known = (*ARITH.operations, *MATH.operations, *NV_TILEAS.operations, *NV_TILEAA.operations)
    blind = {op.op_kind.mnemonic for op in known if is_blind(op)}
    assert {"addf", "fma", "erf", "fpowi", "cmpf", "maxnumf", "fptosi", "fp_to_fp", "dot", "scan"} <= blind
    assert not {"absf", "negf", "copysign", "addi", "bitcast", "select", "splat", "tiled_store"} & blind

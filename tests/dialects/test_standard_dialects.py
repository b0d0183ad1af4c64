"""The same questions to every standard dialect; the peers are mlir-opt and MLIR's own declarations."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from tests.dialects import structure_samples as structure
from tests.dialects.arith import samples as arith
from tests.dialects.builtin import samples as builtin
from tests.dialects.cf import samples as cf
from tests.dialects.func import samples as func
from tests.dialects.math import samples as math
from tests.dialects.pdl import samples as pdl
from tests.dialects.pdl_interp import samples as pdl_interp
from tests.dialects.scf import samples as scf
from tests.dialects.ub import samples as ub
from tests.support.dialect_checks import (
    Broken,
    check_custom_form_reads_back,
    check_declarations,
    check_every_operation_appears,
    check_mlir_agrees,
    check_mlir_agrees_on_custom_form,
    check_mlir_refuses,
    check_places,
    check_refusals,
    check_round_trips,
    check_single_breakages,
)
from tilewright.dialects.arith.dialect import ARITH
from tilewright.dialects.builtin.dialect import BUILTIN
from tilewright.dialects.cf.dialect import CF
from tilewright.dialects.func.dialect import FUNC
from tilewright.dialects.math.dialect import MATH
from tilewright.dialects.scf.dialect import SCF
from tilewright.dialects.ub.dialect import UB
from tilewright.ir.dialect import Dialect
from tilewright.pdl.dialects.pdl.dialect import PDL
from tilewright.pdl.dialects.pdl_interp.dialect import PDL_INTERP


class Case(NamedTuple):
    """A dialect, valid modules that use all of it, invalid ones, and where MLIR declares it."""

    dialect: Dialect
    valid: tuple[str, ...]
    broken: tuple[Broken, ...]
    source: str


CASES = (
    Case(BUILTIN, builtin.SAMPLES, builtin.BROKEN, "IR/BuiltinOps.td"),
    Case(FUNC, func.SAMPLES, func.BROKEN, "Dialect/Func/IR/FuncOps.td"),
    Case(UB, ub.SAMPLES, ub.BROKEN, "Dialect/UB/IR/UBOps.td"),
    Case(ARITH, arith.SAMPLES, arith.BROKEN, "Dialect/Arith/IR/ArithOps.td"),
    Case(MATH, math.SAMPLES, math.BROKEN, "Dialect/Math/IR/MathOps.td"),
    Case(CF, cf.SAMPLES, cf.BROKEN, "Dialect/ControlFlow/IR/ControlFlowOps.td"),
    Case(SCF, scf.SAMPLES, scf.BROKEN, "Dialect/SCF/IR/SCFOps.td"),
    Case(PDL, pdl.SAMPLES, pdl.BROKEN, "Dialect/PDL/IR/PDLOps.td"),
    Case(PDL_INTERP, pdl_interp.SAMPLES, pdl_interp.BROKEN, "Dialect/PDLInterp/IR/PDLInterpOps.td"),
)

LOST = (
    (re.compile(r"(?:arg|res)_attrs = \[\{\}(?:, \{\})*\], "), ""),
    (re.compile(r"(case_values = dense<[^>]*> : )tensor"), r"\1vector"),
)
"""What the custom form cannot hold, here as in MLIR, and what is read instead: lists of nothing but empty dictionaries
are not spelt; case values that are a tensor are read as a vector.
"""


def as_read(text: str) -> str:
    """A module in the form in which it is read from its custom form."""
    for pattern, replacement in LOST:
        text = pattern.sub(replacement, text)
    return text


each_dialect = pytest.mark.parametrize("case", CASES, ids=lambda case: case.dialect.name)


@each_dialect
def test_samples_use_every_operation(case: Case) -> None:
    check_every_operation_appears(case.dialect, case.valid)


@each_dialect
def test_samples_round_trip(case: Case) -> None:
    check_round_trips(case.valid)


@each_dialect
def test_mlir_accepts_what_we_print_and_prints_the_same(case: Case) -> None:
    check_mlir_agrees(case.valid)


@each_dialect
def test_mlir_prints_the_same_custom_form(case: Case) -> None:
    check_mlir_agrees_on_custom_form(case.valid)


@each_dialect
def test_custom_form_reads_back(case: Case) -> None:
    check_custom_form_reads_back([(text, as_read(text)) for text in case.valid])


@each_dialect
def test_every_single_broken_constraint_is_found(case: Case) -> None:
    check_single_breakages(case.dialect, case.valid)


@each_dialect
def test_broken_modules_are_refused(case: Case) -> None:
    check_refusals(case.broken)


@each_dialect
def test_mlir_refuses_broken_modules_in_the_same_words(case: Case) -> None:
    check_mlir_refuses(case.broken)


@pytest.mark.parametrize(
    "family", [structure.COUNTS, structure.SUCCESSORS, structure.BLOCKS, structure.SYMBOLS]
)
def test_structure_errors_stand_where_mlir_reports_them(family: tuple[str, ...]) -> None:
    check_places(family)


@each_dialect
def test_declarations_agree_with_those_of_mlir(case: Case) -> None:
    check_declarations(case.dialect, case.source)

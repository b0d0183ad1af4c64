"""Which operations each part of tilewright handles, read off the registries of those parts.

The matrix is a test: a cell is supported, or stands in `EXCEPTIONS` with the reason; there is no third case.
Needs NumPy, because the interpreter does.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache, partial
from typing import NamedTuple

from tilewright.bytecode.reader.decoders import decoders
from tilewright.dialects.cuda_tile.base import TileOp
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE, OPERATIONS
from tilewright.dialects.cuda_tile.version import LATEST
from tilewright.interp.rules.rule_set import ALL_RULES, STRUCTURAL
from tilewright.ir.context import Context
from tilewright.lowering.cuda_tile_to_tileaa.conversion import populate_cuda_tile_to_tileaa
from tilewright.lowering.cuda_tile_to_tileaa.pattern import Lowering
from tilewright.lowering.cuda_tile_to_tileaa.types import TileAATypeConverter
from tilewright.reference.examples import example_module
from tilewright.reference.markdown import code, page, section, table
from tilewright.reference.subjects import dialect, dialect_names
from tilewright.rewrite.pattern_set import RewritePatternSet

GENERATED = "This page is generated: `pytest tests/test_coverage_matrix.py --bless`."


class Status(Enum):
    """What a part does with an operation."""

    SUPPORTED = "yes"
    STRUCTURE = "structure"
    """Holds a program together; there is nothing to do."""
    EXCEPTION = "see below"
    MISSING = "MISSING"


class Cell(NamedTuple):
    """One operation in one part."""

    operation: str
    part: str


EXCEPTIONS: dict[Cell, str] = {}
"""Cells that are not supported, with the reason."""


def _text(op_class: type[TileOp]) -> Status:
    """The generic form covers what a context knows; the page's example shows it."""
    known = _CONTEXT.kind(op_class.op_kind.name) is op_class.op_kind
    return Status.SUPPORTED if known and example_module(op_class.op_kind) is not None else Status.MISSING


def _bytecode(op_class: type[TileOp]) -> Status:
    """Bodies have a decoder per opcode; module, kernels and globals are tables of the container."""
    if op_class in STRUCTURAL:
        return Status.STRUCTURE
    decoder = decoders(LATEST).get(op_class.opcode)
    return Status.SUPPORTED if decoder is not None and decoder.kind is op_class.op_kind else Status.MISSING


def _interpreter(op_class: type[TileOp]) -> Status:
    if op_class in STRUCTURAL:
        return Status.STRUCTURE
    rules = (ALL_RULES.rules, ALL_RULES.region_rules, ALL_RULES.control_rules)
    return Status.SUPPORTED if any(op_class in table for table in rules) else Status.MISSING


@cache
def _lowered() -> frozenset[object]:
    """The roots of the patterns with which the CPU target, the default one, takes Tile IR apart."""
    context = Context(available={name: partial(dialect, name) for name in dialect_names()})
    patterns = RewritePatternSet(context)
    populate_cuda_tile_to_tileaa(patterns, Lowering(TileAATypeConverter(context)))
    return frozenset(pattern.root for pattern in patterns)


def _cpu(op_class: type[TileOp]) -> Status:
    """What no pattern takes stops the compilation with a diagnostic that names the operation."""
    if op_class in STRUCTURAL:
        return Status.STRUCTURE
    known = not {op_class, op_class.op_kind.name}.isdisjoint(_lowered())
    return Status.SUPPORTED if known else Status.MISSING


_CONTEXT = Context([CUDA_TILE])
PARTS: dict[str, Callable[[type[TileOp]], Status]] = {
    "text": _text,
    "bytecode": _bytecode,
    "cpu": _cpu,
    "interpreter": _interpreter,
}
"""The columns: each part with the question that its registry answers."""


def matrix() -> dict[Cell, Status]:
    """The status of every operation in every part."""
    found: dict[Cell, Status] = {}
    for op_class in OPERATIONS:
        for part, status in PARTS.items():
            cell = Cell(op_class.op_kind.mnemonic, part)
            answer = status(op_class)
            excused = answer is Status.MISSING and cell in EXCEPTIONS
            found[cell] = Status.EXCEPTION if excused else answer
    return found


def gaps() -> list[Cell]:
    """Cells that are neither supported nor explained."""
    return [cell for cell, status in matrix().items() if status is Status.MISSING]


def stale_exceptions() -> list[Cell]:
    """Exceptions for what is supported or does not exist."""
    statuses = matrix()
    return [cell for cell in EXCEPTIONS if statuses.get(cell) is not Status.EXCEPTION]


def coverage_page() -> str:
    """The matrix as a page."""
    statuses = matrix()
    rows: list[list[str]] = []
    for op_class in OPERATIONS:
        name = op_class.op_kind.mnemonic
        cells = [statuses[Cell(name, part)].value for part in PARTS]
        rows.append([code(name), op_class.group, str(op_class.since), *cells])
    exceptions = [(code(cell.operation), cell.part, reason) for cell, reason in EXCEPTIONS.items()]
    return page(
        "Coverage of `cuda_tile`",
        GENERATED,
        _summary(statuses),
        section("Operations", table(("operation", "group", "since", *PARTS), rows)),
        section("Exceptions", table(("operation", "part", "reason"), exceptions)),
    )


def _summary(statuses: dict[Cell, Status]) -> str:
    rows: list[tuple[str, ...]] = []
    for part in PARTS:
        answers = [status for cell, status in statuses.items() if cell.part == part]
        rows.append((part, *(str(answers.count(status)) for status in Status)))
    return table(("part", *(status.value for status in Status)), rows)

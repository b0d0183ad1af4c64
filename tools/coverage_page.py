"""The page of coverage: which operations each part of tilewright handles.

Most columns are read off the registries of the parts.  The columns of GPUs are what a compilation to PTX says of the
example of each operation.  A cell is supported, or stands in `EXCEPTIONS` with the reason; a test refuses
all others.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache, partial
from typing import NamedTuple

import tilewright
from tilewright.bytecode.reader.decoders import decoders
from tilewright.dialects.cuda_tile.base import TileOp
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE, OPERATIONS
from tilewright.dialects.cuda_tile.version import LATEST
from tilewright.interp.rules.rule_set import ALL_RULES, STRUCTURAL
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.lowering.codes import NOT_LOWERED_FOR_TARGET
from tilewright.lowering.cuda_tile_to_tileaa.conversion import populate_cuda_tile_to_tileaa
from tilewright.lowering.cuda_tile_to_tileaa.pattern import TileAALowering
from tilewright.lowering.cuda_tile_to_tileaa.type_conversion import TileAATypeConverter
from tilewright.reference.markdown import code, page, section, table
from tilewright.reference.op_page import example_module
from tilewright.reference.subjects import dialect, dialect_names
from tilewright.rewrite.pattern_set import RewritePatternSet
from tools.live_examples import live_example

GENERATED = "This page is generated: `pytest tests/test_coverage_matrix.py --bless`."


class Status(Enum):
    """How a part handles an operation."""

    SUPPORTED = "yes"
    STRUCTURE = "structure"
    """Holds a program together; there is nothing to do."""
    EXCEPTION = "see below"
    MISSING = "MISSING"


class Cell(NamedTuple):
    """One operation in one part."""

    operation: str
    part: str


SINCE_SM_90 = (
    "multimem_load_reduce_view_tko",
    "multimem_reduce_view_tko",
    "multimem_store_view_tko",
    "gdc_launch_dependents_tko",
    "gdc_wait_tko",
)
EXCEPTIONS: dict[Cell, str] = {
    Cell(
        name, "sm_80"
    ): "GPUs have instructions for it from sm_90 on; compiling for others is refused (TW0802)"
    for name in SINCE_SM_90
}
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
    populate_cuda_tile_to_tileaa(patterns, TileAALowering(TileAATypeConverter(context)))
    return frozenset(pattern.root for pattern in patterns)


def _cpu(op_class: type[TileOp]) -> Status:
    """What no pattern takes stops the compilation with a diagnostic that names the operation."""
    if op_class in STRUCTURAL:
        return Status.STRUCTURE
    known = not {op_class, op_class.op_kind.name}.isdisjoint(_lowered())
    return Status.SUPPORTED if known else Status.MISSING


CHIPS = ("sm_80", "sm_90a")
"""The GPUs that have a column."""


def gpu_status(chip: str, op_class: type[TileOp]) -> Status:
    """Compile the example of an operation to PTX."""
    if op_class in STRUCTURAL:
        return Status.STRUCTURE
    try:
        text = tilewright.compile(live_example(op_class.op_kind), target=chip).asm["ptx"]
    except LookupError:
        return Status.MISSING
    except DiagnosticError as error:
        if any(diagnostic.code != NOT_LOWERED_FOR_TARGET for diagnostic in error.diagnostics):
            raise  # a mistake in the example or in the compiler
        return Status.MISSING
    return Status.SUPPORTED if f".target {chip}" in str(text) else Status.MISSING


_CONTEXT = Context([CUDA_TILE])
PARTS: dict[str, Callable[[type[TileOp]], Status]] = {
    "text": _text,
    "bytecode": _bytecode,
    "cpu": _cpu,
    "interpreter": _interpreter,
    **{chip: partial(cache(gpu_status), chip) for chip in CHIPS},
}
"""The columns: each part with the function that returns the status of an operation."""

FOLDED = ("pack", "get_tensor_shape", "make_strided_view", "make_gather_scatter_view")
"""Operations whose examples are folded, or have results that no code needs."""
LEGEND = f"""\
`text`, `bytecode`, `cpu` and `interpreter` list what these parts have a rule for. The columns of
GPUs list what compiles: the generator makes PTX of the example of each operation, with operands
that are not known before the launch, and with results that the kernel uses. The examples of
{", ".join(code(name) for name in FOLDED)}
need no code; kernels in the tests of GPU code use these operations. [Code for
GPUs](concepts/gpu.md#what-there-is-not) names the forms of operations that do not compile."""


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
        LEGEND,
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

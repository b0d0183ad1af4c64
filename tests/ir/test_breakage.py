"""The verifier finds every single breakage of every registered operation, and never falls over."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support import upstream
from tests.support.dialect_checks import DIALECTS, GENERIC
from tests.support.invalid.breakages import Breakage, breakages
from tests.support.mlir_tools import SEPARATOR, mlir_opt
from tilewright.dialects.arith.dialect import ARITH
from tilewright.dialects.cuda_tile.dialect import CUDA_TILE
from tilewright.dialects.func.dialect import FUNC
from tilewright.dialects.gpu.dialect import GPU
from tilewright.dialects.llvm.dialect import LLVM
from tilewright.dialects.memref.dialect import MEMREF
from tilewright.dialects.nvvm.dialect import NVVM
from tilewright.dialects.ub.dialect import UB
from tilewright.dialects.vector.dialect import VECTOR
from tilewright.driver.startup import context
from tilewright.ir import verifier
from tilewright.ir.attribute import Type
from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.dialect import Dialect
from tilewright.ir.operation import Operation
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import check_operation, verify
from tilewright.ir.walker import Visitor, WalkResult, walk_with
from tilewright.testing import enclosing_module, sample_operations
from tilewright.testing.standard.control import sample_module

INSTANCES = 3
"""How many instances of each operation are broken in every way."""

NOT_ASKED: dict[tuple[str, str], str] = {
    (
        "gpu.warp_execute_on_lane_0",
        "another operation at the end of block 0 of region 0",
    ): "mlir-opt runs into an assertion",
    ("llvm.atomicrmw", "operand 'val' of a wrong type"): "mlir-opt runs into an assertion",
    ("llvm.atomicrmw", "result 'res' of a wrong type"): "mlir-opt runs into an assertion",
}
"""Breakages, by operation and name, that mlir-opt is not asked about, and why."""
OWN = ("nvvm.multimem.", "nvvm.predicated.")
"""Operations that MLIR does not have: it takes them for unknown ones."""
ACCEPTED: dict[tuple[str, str], str] = {}
"""Breakages, by operation and name, that leave a valid module behind, and why: there are none."""

INSTANCE_FILES = Path(__file__).parents[1] / "dialects"
FROM_FILES = (MEMREF, VECTOR, GPU, LLVM, NVVM)
"""Dialects whose instances stand in files."""
TRUSTED = ("operands for '", "no segment sizes")
"""``mlir-opt`` 22 believes segment sizes: that a field has one operand it does not check (and may crash)."""
UPSTREAM = (*DIALECTS, *FROM_FILES)
ALL_DIALECTS = (*DIALECTS, CUDA_TILE, *FROM_FILES)


def _modules(dialect: Dialect) -> Iterator[Operation]:
    """Valid modules that use all of a dialect."""
    if dialect in FROM_FILES:
        loaded = upstream.context(UB, ARITH, FUNC, *FROM_FILES)
        for text in upstream.instances(INSTANCE_FILES / dialect.name / "instances.mlir"):
            yield parse_module(loaded, text)
        return
    for number in range(INSTANCES):
        for op_class in dialect.operations:
            if dialect is CUDA_TILE:
                (op,) = sample_operations(op_class, 1, seed=f"breakage{number}")
                yield enclosing_module(op)
            else:
                yield sample_module(op_class, f"breakage{number}")


@cache
def instances(dialect: Dialect) -> dict[str, list[tuple[Operation, int]]]:
    """By name of operation: modules, and which operation of each in pre-order is the instance."""
    found: dict[str, list[tuple[Operation, int]]] = {c.op_kind.name: [] for c in dialect.operations}
    for module in _modules(dialect):
        for number, op in enumerate(module.walk()):
            held = found.get(op.name)
            if held is not None and len(held) < INSTANCES:
                held.append((module, number))
    return found


def broken(module: Operation, number: int, breakage: Breakage) -> Operation:
    """A copy of a module with one operation broken; the answer is that operation."""
    copy = module.clone()
    op = next(op for place, op in enumerate(copy.walk()) if place == number)
    breakage.apply(op)
    return op


def root_of(op: Operation) -> Operation:
    """The outermost operation."""
    return next(iter([*op.ancestors()][::-1]), op)


def own_message(op: Operation) -> str:
    """What an operation's own check says."""
    try:
        check_operation(op)
    except VerifyError as error:
        return error.message
    return ""


def problem(module: Operation, number: int, breakage: Breakage) -> str | None:
    """What is wrong with the verifier's answer to a breakage; None if it is right."""
    op = broken(module, number, breakage)
    errors = verify(root_of(op))
    if not errors:
        return "is not found"
    message = own_message(op) if breakage.words else ""
    return None if message.startswith(breakage.words) else f"is called: {message or errors[0].message}"


def types_of(dialect: Dialect) -> Sequence[Type]:
    """All types of values in the instances of a dialect."""
    modules = {module for held in instances(dialect).values() for module, _ in held}
    return list(
        {v.type: None for module in modules for op in module.walk() for v in (*op.operands, *op.results)}
    )


@pytest.mark.parametrize("dialect", ALL_DIALECTS, ids=lambda dialect: dialect.name)
def test_every_operation_has_a_valid_instance(dialect: Dialect) -> None:
    assert [name for name, held in instances(dialect).items() if not held] == []
    for held in instances(dialect).values():
        for module, _ in held:
            assert verify(module) == []


@pytest.mark.parametrize("dialect", ALL_DIALECTS, ids=lambda dialect: dialect.name)
def test_every_single_breakage_is_found(dialect: Dialect) -> None:
    """Breaking copies leaves the modules as they were, too."""
    before = _texts(dialect)
    problems = [
        f"{op.name}: {breakage.name} {answer}"
        for module, number, op, breakage in _breakages(dialect, INSTANCES)
        if (op.name, breakage.name) not in ACCEPTED and (answer := problem(module, number, breakage))
    ]
    assert sorted(set(problems)) == []
    assert _texts(dialect) == before


def _breakages(dialect: Dialect, count: int) -> Iterator[tuple[Operation, int, Operation, Breakage]]:
    """Modules, the number of an operation in each, that operation, and what to break about it."""
    types = types_of(dialect)
    for held in instances(dialect).values():
        for module, number in held[:count]:
            op = next(op for place, op in enumerate(module.walk()) if place == number)
            for breakage in breakages(op, types):
                yield module, number, op, breakage


def _texts(dialect: Dialect) -> list[str]:
    return [module.print(GENERIC) for held in instances(dialect).values() for module, _ in held]


@pytest.mark.parametrize("dialect", UPSTREAM, ids=lambda dialect: dialect.name)
def test_mlir_refuses_the_same(dialect: Dialect) -> None:
    """What our verifier refuses of one instance of each operation, ``mlir-opt`` refuses, too."""
    named: list[str] = []
    texts: list[str] = []
    for module, number, op, breakage in _breakages(dialect, 1):
        if _is_asked(op.name, breakage.name):
            named.append(f"{op.name}: {breakage.name}")
            texts.append(root_of(broken(module, number, breakage)).print(GENERIC).strip())
    refused = refused_by_mlir(texts)
    assert [name for number, name in enumerate(named) if number not in refused] == []


def _is_asked(name: str, breakage: str) -> bool:
    if name.startswith(OWN) or any(word in breakage for word in TRUSTED):
        return False
    return (name, breakage) not in NOT_ASKED


def refused_by_mlir(texts: Sequence[str]) -> set[int]:
    """The numbers of the modules that ``mlir-opt`` finds an error in, or aborts on (it is a build with assertions).

    It reads module by module.  So the one that it aborts on comes behind the last that it has found an error in: mostly
    it is the next one, which is asked about alone, and all others go on behind it.
    """
    refused: set[int] = set()
    start = 0
    while start < len(texts):
        aborted, found = _answer(texts[start:])
        refused |= {start + number for number in found}
        if not aborted:
            break
        start += max(found, default=-1) + 1
        alone = _answer(texts[start : start + 1])
        if alone.aborted or alone.found:
            refused.add(start)
        start += 1
    return refused


class Answer(NamedTuple):
    """Whether ``mlir-opt`` aborted, and the numbers of the modules that it found errors in before."""

    aborted: bool
    found: set[int]


def _answer(texts: Sequence[str]) -> Answer:
    flags = ("--split-input-file", "--allow-unregistered-dialect", "--verify-each=false", "-o", "/dev/null")
    code, _, err = mlir_opt(SEPARATOR.join(texts), *flags)
    starts = list(accumulate((text.count("\n") + SEPARATOR.count("\n") for text in texts), initial=1))
    lines = re.findall(r"^<stdin>:(\d+):\d+: error: ", err, re.MULTILINE)
    return Answer(code not in (0, 1), {bisect.bisect_right(starts, int(line)) - 1 for line in lines})


def test_the_first_error_interrupts_the_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The verifier has no loop of its own over nests: it is a visitor of the walker, whose control word ends it."""
    words: list[WalkResult] = []

    def noted(root: Operation, visitor: Visitor) -> WalkResult:
        words.append(walk_with(root, visitor))
        return words[-1]

    monkeypatch.setattr(verifier, "walk_with", noted)
    broken = '"arith.addi"() : () -> ()\n'
    known = context()
    module = parse_module(known, broken * 3, implicit_module=True)
    assert len(verifier.verify(module)) == 1
    assert len(verifier.verify(module, all_errors=True)) == 3
    assert words == [WalkResult.INTERRUPT, WalkResult.CONTINUE]

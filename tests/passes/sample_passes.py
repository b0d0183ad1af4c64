"""Passes for the tests of the pass manager."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from tests.support.sample_dialect import BranchOp, FunctionOp, sample_context, value
from tilewright.ir.builtin_attributes import StringAttr
from tilewright.ir.context import Context
from tilewright.ir.diagnostic import Diagnostic, Severity
from tilewright.ir.operation import Operation
from tilewright.passes.codes import PASS_FAILED
from tilewright.passes.pass_ import Pass, PassState


@dataclass(frozen=True)
class Mark(Pass):
    """Gives the operation an attribute.

    Its value is ``text``.
    """

    name: ClassVar[str] = "mark"
    text: str = "here"
    times: int = 1
    loud: bool = False
    scale: float = 1.0
    labels: tuple[str, ...] = ()

    def run(self, op: Operation, state: PassState) -> None:
        op.attributes["mark"] = StringAttr(self.text)
        state.count("marks", self.times)


@dataclass(frozen=True)
class OnFunctions(Pass):
    """Works on functions only."""

    name: ClassVar[str] = "on-functions"
    anchor: ClassVar[str | None] = "sample.function"

    def run(self, op: Operation, state: PassState) -> None:
        op.attributes["seen"] = StringAttr("yes")


@dataclass(frozen=True)
class Fail(Pass):
    """Changes things, then gives up in one of several ways."""

    name: ClassVar[str] = "fail"
    how: str = "fail"

    def run(self, op: Operation, state: PassState) -> None:
        op.attributes["half-done"] = StringAttr("yes")
        for region in op.regions:
            for block in region.blocks:
                block.drop_operations()
        diagnostic = Diagnostic(Severity.ERROR, "it cannot be done", op.location, PASS_FAILED)
        if self.how == "fail":
            raise state.fail(diagnostic)
        if self.how == "crash":
            raise ZeroDivisionError("division by zero")
        if self.how == "emit":
            state.emit(diagnostic)
        if self.how == "soft":
            state.soft_failure(diagnostic)


@dataclass(frozen=True)
class BreakRules(Pass):
    """Leaves IR that the verifier refuses: a terminator in the middle of a block."""

    name: ClassVar[str] = "break-rules"

    def run(self, op: Operation, state: PassState) -> None:
        block = op.regions[0].blocks[0]
        block.append(BranchOp((), targets=(), result_types=[]))
        block.append(value())


class OpCount:
    """An analysis: how many operations there are."""

    computed: ClassVar[int] = 0

    def __init__(self, op: Operation) -> None:
        type(self).computed += 1
        self.count = sum(1 for _ in op.walk())


class KeepsItself(OpCount):
    """An analysis that decides for itself when it is stale."""

    def is_invalidated(self, preserved: object) -> bool:
        return False


REGISTRY: dict[str, type[Pass]] = {p.name: p for p in (Mark, OnFunctions, Fail, BreakRules)}


def functions_of(op: Operation) -> Iterator[FunctionOp]:
    """The functions directly inside an operation."""
    yield from (inner for inner in op.regions[0].blocks[0] if isinstance(inner, FunctionOp))


def fresh_context() -> Context:
    """A context with the sample dialect."""
    return sample_context()

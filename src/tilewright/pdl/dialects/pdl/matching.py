"""Verification of patterns: every operation and value of a match is used, and connected to the others."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.ir.declaration.traits import VerifyError
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value, defining_op

PATTERN = "pdl.pattern"
REWRITE = "pdl.rewrite"
OPERATION = "pdl.operation"
RESULTS = ("pdl.result", "pdl.results")
CONNECTED = ("pdl.operand", "pdl.operands", *RESULTS, OPERATION)


def users(op: Operation) -> Iterator[Operation]:
    """Yield the operations that use a result of ``op``."""
    for result in op.results:
        yield from result.uses


def is_inside(op: Operation, parent: str) -> bool:
    """Return whether the parent of ``op`` is an operation called ``parent``."""
    return op.parent_op is not None and op.parent_op.name == parent


def check_bound(op: Operation) -> None:
    """Raise `VerifyError` if `op` is in the matcher of a pattern, and no operation other than ``pdl.result``
    and ``pdl.results`` uses it, directly or through these.
    """
    if is_inside(op, PATTERN) and not _has_binding_use(op):
        raise VerifyError("expected a bindable user when defined in the matcher body of a `pdl.pattern`")


def _has_binding_use(op: Operation) -> bool:
    """Return whether an operation other than ``pdl.result`` and ``pdl.results`` uses a result of ``op``,
    directly or through these.
    """
    pending: list[Operation] = [op]
    seen: set[Operation] = set()
    while pending:
        for user in users(pending.pop()):
            if user.name not in RESULTS:
                return True
            if user not in seen:
                seen.add(user)
                pending.append(user)
    return False


def check_connected(pattern: Operation) -> None:
    """Raise `VerifyError` unless all operations and values of the matcher of `pattern` that its rewrite uses
    are connected to each other, through operands and results.
    """
    reached: set[Operation] | None = None
    for op in pattern.regions[0].blocks[0]:
        if op.name not in CONNECTED or not _is_used_by_rewrite(op):
            continue
        if reached is None:
            reached = _connected_to(op)
        elif op not in reached:
            note = ("see a disconnected value / operation here", op.location)
            raise VerifyError("the operations must form a connected component", notes=(note,))


def _is_used_by_rewrite(op: Operation) -> bool:
    return any(user.name == REWRITE or is_inside(user, REWRITE) for user in users(op))


def _connected_to(start: Operation) -> set[Operation]:
    reached: set[Operation] = set()
    pending: list[Operation] = [start]
    while pending:
        op = pending.pop()
        if op in reached or not is_inside(op, PATTERN) or op.name == REWRITE:
            continue
        reached.add(op)
        pending.extend(users(op))
        definitions = map(defining_op, _traversed_operands(op))
        pending.extend(definition for definition in definitions if definition is not None)
    return reached


def _traversed_operands(op: Operation) -> tuple[Value, ...]:
    if op.name == OPERATION:
        return op.kind.field_values(op, "operandValues")
    return op.operands if op.name in RESULTS else ()

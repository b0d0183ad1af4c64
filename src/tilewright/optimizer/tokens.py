"""`simplify-tokens`: drops tokens that add no order.

A token represents all accesses that were complete when it was made: the operation that returns it, and the operations
that this one waited for. Joining a token with itself, with a token that it implies, or with an empty token adds no
order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from tilewright.dialects.common.constant_folding import defined_by
from tilewright.dialects.cuda_tile.ops.memory import JoinTokensOp, MakeTokenOp
from tilewright.dialects.cuda_tile.types import TokenType
from tilewright.ir.builder import InsertionPoint
from tilewright.ir.operation import Operation
from tilewright.ir.value import OpResult, Value
from tilewright.passes.pass_ import Pass, PassState

LONGEST_CHAIN = 64
"""The maximum number of operations through which the earlier tokens of a token are followed."""


def simplify_tokens(root: Operation) -> int:
    """Remove tokens that add no order from the `join_tokens` inside `root`, and erase unused `join_tokens`
    and `make_token`; return the number of changes.
    """
    joins = [op for op in root.walk() if isinstance(op, JoinTokensOp)]
    changed = sum(map(_simplify, joins))
    return changed + _erase_unused(root)


def earlier_tokens(token: Value) -> Iterator[Value]:
    """Yield the tokens that were waited for, directly or indirectly, by the operation that returns ``token``,
    nearest first. The chain ends at block arguments, joins and operations with regions (see `input_token`),
    and after `LONGEST_CHAIN` tokens.
    """
    for _ in range(LONGEST_CHAIN):
        waited_for = input_token(token.owner) if isinstance(token, OpResult) else None
        if waited_for is None:
            return
        yield waited_for
        token = waited_for


def input_token(op: Operation) -> Value | None:
    """Return the only token operand of an operation. None if it has none or several, or regions, or is a
    join.
    """
    if isinstance(op, JoinTokensOp) or op.regions:
        return None
    tokens = [value for value in op.operands if isinstance(value.type, TokenType)]
    return tokens[0] if len(tokens) == 1 else None


def _simplify(join: JoinTokensOp) -> bool:
    needed = _needed(_flattened(join))
    if needed == list(join.tokens):
        return False
    if len(needed) > 1:
        join.set_operands(needed)
        return True
    (token,) = needed or [InsertionPoint.before(join).insert(_new_token(join)).result]
    join.result.replace_all_uses_with(token)
    join.erase()
    return True


def _new_token(join: JoinTokensOp) -> MakeTokenOp:
    return MakeTokenOp(location=join.location, result_types=[join.result.type])


def _flattened(join: JoinTokensOp) -> list[Value]:
    """Return the tokens that a join joins, with nested joins flattened. Repetitions, and tokens made by
    `make_token`, are left out.
    """
    found: dict[Value, None] = {}
    seen: set[Value] = set()
    pending = [*reversed(join.tokens)]
    while pending:
        token = pending.pop()
        inner = defined_by(token, JoinTokensOp)
        if inner is not None and token not in seen:
            pending.extend(reversed(inner.tokens))
        elif inner is None and defined_by(token, MakeTokenOp) is None:
            found[token] = None
        seen.add(token)
    return list(found)


def _needed(tokens: Sequence[Value]) -> list[Value]:
    """Return the tokens that no other token of the list implies, in order."""
    implied: set[Value] = set()
    for token in tokens:
        for earlier in earlier_tokens(token):
            implied.update(_parts(earlier))
    return [token for token in tokens if token not in implied]


def _parts(token: Value) -> Sequence[Value]:
    join = defined_by(token, JoinTokensOp)
    return (token,) if join is None else (token, *join.tokens)


def _erase_unused(root: Operation) -> int:
    unused = 0
    for op in list(root.walk(reverse=True)):
        if isinstance(op, JoinTokensOp | MakeTokenOp) and not op.has_uses:
            op.erase()
            unused += 1
    return unused


@dataclass(frozen=True)
class SimplifyTokens(Pass):
    """Removes tokens from `join_tokens` that add no order. If only one token is left, it replaces the join;
    if none is left, a new token does. Unused `join_tokens` and `make_token` are erased.
    """

    name: ClassVar[str] = "simplify-tokens"

    def run(self, op: Operation, state: PassState) -> None:
        state.report("num-simplified", simplify_tokens(op))

"""Conversion patterns: roles B (no type converter), C (with one) and D (with a predicate)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from tilewright.ir.declaration.fields import Arity
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.operation import Operation
from tilewright.rewrite.conversion.type_converter import TypeConverter
from tilewright.rewrite.pattern import NoMatch, Pattern, PatternRole, Root

if TYPE_CHECKING:
    from tilewright.ir.context import Context
    from tilewright.rewrite.conversion.rewriter import ConversionRewriter

_Op = TypeVar("_Op", bound=Operation)


class Adaptor:
    """The converted operands of the operation ``op``, for a conversion pattern. ``adaptor.operands`` is the
    tuple of all operands. ``adaptor.lhs`` is the operand declared as ``lhs``: a tuple if it is variadic, None
    for an optional operand that is absent; `AttributeError` if no operand has the name. In a pattern that is
    ``one_to_n`` every operand is a tuple of values.
    """

    __slots__ = ("op", "operands")

    def __init__(self, op: Operation, operands: tuple[Any, ...]) -> None:
        self.op = op
        self.operands = operands

    def __getattr__(self, name: str) -> Any:
        kind: OperationKind = self.op.kind
        part = kind.operand_parts(self.op).get(name)
        if part is None:
            raise AttributeError(f"'{kind.name}' declares no operand '{name}'")
        arity, values = kind.operand_arities[name], self.operands[part]
        if arity is Arity.ONE:  # most are
            return values[0]
        if arity is Arity.VARIADIC:
            return values
        return values[0] if values else None


class ConversionPattern(Pattern[_Op]):
    """A conversion pattern.

    Override `match_and_rewrite`, or `match` and `rewrite`. The operands of the adaptor have the types that
    the converter (if any) gives them. Everything done through the rewriter is undone if the pattern declines,
    or if an operation that it made cannot be converted in turn.
    """

    role = PatternRole.CONVERSION
    one_to_n: ClassVar[bool] = False
    """Whether operands may be replaced by several values each."""

    def __init__(
        self,
        type_converter: TypeConverter | None = None,
        context: Context | None = None,
        *,
        root: Root = None,
        benefit: int | None = None,
        debug_name: str = "",
        generated_ops: Sequence[str] | None = None,
    ) -> None:
        super().__init__(
            context, root=root, benefit=benefit, debug_name=debug_name, generated_ops=generated_ops
        )
        self.type_converter = type_converter
        if type_converter is not None and self.role is PatternRole.CONVERSION:
            self.role = PatternRole.TYPE_CONVERSION

    def match_and_rewrite(self, op: _Op, adaptor: Adaptor, rewriter: ConversionRewriter) -> NoMatch | None:
        """Replace ``op`` (or change it in place inside ``rewriter.modify``) and return None, or return the
        reason why it does not match.
        """
        refused = self.match(op)
        if refused is None:
            self.rewrite(op, adaptor, rewriter)
        return refused

    def match(self, op: _Op) -> NoMatch | None:
        """Return None if the pattern applies, else the reason."""
        raise NotImplementedError(f"{type(self).__name__} overrides neither match_and_rewrite nor match")

    def rewrite(self, op: _Op, adaptor: Adaptor, rewriter: ConversionRewriter) -> None:
        """Rewrite an operation that `match` accepted; must not fail."""
        raise NotImplementedError(f"{type(self).__name__} overrides neither match_and_rewrite nor rewrite")


class ClosurePattern(ConversionPattern[_Op]):
    """A conversion pattern that applies if ``predicate`` holds for a number of the operation (a tile size, a
    lane count). Subclasses return the number in `subject`. `close` drops the predicate, after which the
    pattern matches nothing.
    """

    role = PatternRole.CLOSURE

    def __init__(
        self,
        predicate: Callable[[int], bool],
        type_converter: TypeConverter | None = None,
        context: Context | None = None,
        **named: Any,
    ) -> None:
        super().__init__(type_converter, context, **named)
        self.predicate: Callable[[int], bool] | None = predicate

    def subject(self, op: _Op) -> int | None:
        """Return the argument of the predicate for ``op``; None if the operation has no such number, and the
        pattern does not match.
        """
        raise NotImplementedError(f"{type(self).__name__} does not say what its predicate is about")

    def match(self, op: _Op) -> NoMatch | None:
        number = self.subject(op)
        if number is None:
            return NoMatch("the number that the predicate is about is not known")
        if self.predicate is None or not self.predicate(number):
            return NoMatch("the predicate refuses {}", (number,))
        return None

    def close(self) -> None:
        self.predicate = None

"""Type conversion: an ordered list of rules; the first rule that applies to a type decides."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tilewright.ir.attribute import Location, Type
from tilewright.ir.builtin_types import FunctionType
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value
from tilewright.rewrite import codes

if TYPE_CHECKING:
    from tilewright.rewrite.rewriter import Rewriter


class _Refused:
    """The type of `REFUSED`."""


REFUSED: Final = _Refused()
"""The result of a rule that refuses a type: no later rule is tried."""

Converted = Type | Sequence[Type] | _Refused | None
"""The result of a conversion rule: one type, several types (1:N; none drops the value), `REFUSED`, or None to
try the next rule.
"""
Conversion = Callable[[Any], Converted]
Materialization = Callable[["Rewriter", Type, tuple[Value, ...], Location], Value | None]
"""A function of (rewriter, type, inputs, location) that makes a value of ``type`` from ``inputs``. It inserts
operations through the rewriter, and returns None if it does not apply.
"""


class _TypeRule(NamedTuple):
    subject: type[Any]
    convert: Conversion
    of_values: bool


@dataclass(frozen=True, slots=True)
class SignatureConversion:
    """The conversion of block arguments: for each old argument the types of the arguments that replace it."""

    parts: tuple[tuple[Type, ...], ...]

    @property
    def types(self) -> list[Type]:
        """All new argument types, in order."""
        return [type for part in self.parts for type in part]


class TypeConverter:
    """Rules that convert types, and materialisations that cast between old and new types.

    Rules are tried in the order in which they were added; the first rule that does not return None decides.
    Rules for values (``of_values``) take the value itself and may look at its definition.
    """

    def __init__(self) -> None:
        self._rules: list[_TypeRule] = []
        self._source: list[Materialization] = []
        self._target: list[Materialization] = []
        self.parts: dict[Type, tuple[Type, ...] | None] = {}
        """A cache: each type converted so far, with the types that replace it; None if it cannot be
        converted.
        """
        self.single: dict[Type, Type | None] = {}
        """A cache: each type converted so far, with its conversion; None if there is none, or not exactly one
        type.
        """
        self.depends_on_values = False

    # --- teaching

    def add_conversion(
        self, subject: type[Any], convert: Conversion, *, of_values: bool = False
    ) -> TypeConverter:
        """Append a rule, and return the converter. ``convert`` is called with types of the class ``subject``,
        or, with ``of_values``, with values of such types. It returns the new type, a sequence of types (1:N;
        an empty one drops the value), `REFUSED` if the type cannot be converted, or None to try the next
        rule.
        """
        self._rules.append(_TypeRule(subject, convert, of_values))
        self.parts.clear()
        self.single.clear()
        self.depends_on_values = self.depends_on_values or of_values
        return self

    def add_source_materialization(self, make: Materialization) -> TypeConverter:
        """Append a function that makes a value of an old type from converted values, for operations that are
        not converted, and return the converter. ``make`` is a `Materialization`: it gets the rewriter, the
        type, the values and a location, and returns None to let the next function try.
        """
        self._source.append(make)
        return self

    def add_target_materialization(self, make: Materialization) -> TypeConverter:
        """Append a function that makes a value of a new type from a value that was not converted, and return
        the converter. ``make`` is called as in `add_source_materialization`.
        """
        self._target.append(make)
        return self

    # --- asking

    def converted(self, type: Type) -> tuple[Type, ...] | None:
        """Return the types that replace a type, without rules for values; an empty tuple drops the value.
        None if the type cannot be converted.
        """
        found = self.parts.get(type)
        if found is not None or type in self.parts:
            return found
        found = self._ask(type, type, values=False)
        self.parts[type] = found
        self.single[type] = found[0] if found is not None and len(found) == 1 else None
        return found

    def _ask(self, type: Type, subject: Type | Value, *, values: bool) -> tuple[Type, ...] | None:
        for rule in self._rules:
            if not isinstance(type, rule.subject) or (rule.of_values and not values):
                continue
            answer = rule.convert(subject if rule.of_values else type)
            if isinstance(answer, _Refused):
                return None
            if answer is not None:
                return (answer,) if isinstance(answer, Type) else tuple(answer)
        return None

    def convert_type(self, type: Type) -> Type | None:
        """Return the single type that a type is converted to. None if it cannot be converted, or is converted
        to no type or to several.
        """
        if type not in self.single:
            self.converted(type)
        return self.single[type]

    def convert_types(self, types: Iterable[Type]) -> list[Type] | None:
        """Return the types that several types are converted to, in one list; None if one of them cannot be
        converted.
        """
        result: list[Type] = []
        for type in types:
            found = self.converted(type)
            if found is None:
                return None
            result.extend(found)
        return result

    def function_form(self, type: FunctionType) -> Converted:
        """Return the function type with converted inputs and results; `REFUSED` if one of them cannot be
        converted.
        """
        inputs, results = self.convert_types(type.inputs), self.convert_types(type.results)
        if inputs is None or results is None:
            return REFUSED
        return FunctionType(tuple(inputs), tuple(results))

    def convert_value(self, value: Value) -> tuple[Type, ...] | None:
        """Return the types of a value's replacements; rules for values apply, too. None if its type cannot be
        converted.
        """
        if self.depends_on_values:
            return self._ask(value.type, value, values=True)
        return self.converted(value.type)

    def is_legal_type(self, type: Type) -> bool:
        """Return whether a type is converted to itself."""
        return self.convert_type(type) is type

    def is_legal(self, op: Operation) -> bool:
        """Return whether the types of all operands and results of `op` are converted to themselves."""
        return all(map(self.is_legal_type, (*op.operand_types, *op.result_types)))

    def convert_signature(self, types: Iterable[Type]) -> SignatureConversion | None:
        """Return the conversion of block arguments of the given types; None if a type cannot be converted."""
        parts = [self.converted(type) for type in types]
        if None in parts:
            return None
        return SignatureConversion(tuple(part for part in parts if part is not None))

    # --- bridges

    def materialize_source(
        self, rewriter: Rewriter, type: Type, inputs: tuple[Value, ...], location: Location
    ) -> Value | None:
        """Return a value of the old type ``type``, made from the converted values ``inputs`` by the first
        source materialisation that applies; it inserts operations through ``rewriter``. None if no
        materialisation applies.
        """
        return _first(self._source, rewriter, type, inputs, location)

    def materialize_target(
        self, rewriter: Rewriter, type: Type, inputs: tuple[Value, ...], location: Location
    ) -> Value | None:
        """Return a value of the new type ``type``, made from the values ``inputs`` of other types by the
        first target materialisation that applies; it inserts operations through ``rewriter``. None if no
        materialisation applies.
        """
        return _first(self._target, rewriter, type, inputs, location)


def _first(
    ways: list[Materialization], rewriter: Rewriter, type: Type, inputs: tuple[Value, ...], location: Location
) -> Value | None:
    for make in ways:
        value = make(rewriter, type, inputs, location)
        if value is not None:
            return value
    return None


def unify_converters(converters: Iterable[TypeConverter | None]) -> TypeConverter | None:
    """Return the only converter in `converters`; None if there is none. Raises `DiagnosticError` if there are
    two different ones.
    """
    different = list({id(c): c for c in converters if c is not None}.values())
    if len(different) > 1:
        names = ", ".join(type(converter).__name__ for converter in different)
        raise failure(
            codes.TWO_CONVERTERS,
            f"{len(different)} type converters in one conversion: {names}",
            hint="build one converter and hand it to every pattern and every legality rule",
        )
    return different[0] if different else None


_BUILT: ContextVar[list[TypeConverter] | None] = ContextVar("converters_of_the_pass", default=None)


@contextmanager
def one_converter() -> Generator[None]:
    """Let `claim` raise for a second converter inside the ``with`` block, which is a pass."""
    token = _BUILT.set([])
    try:
        yield
    finally:
        _BUILT.reset(token)


def claim(converter: TypeConverter) -> None:
    """Register a converter that a pass has made. Raises `DiagnosticError` if the pass has made another
    before; outside of `one_converter` it does nothing.
    """
    built = _BUILT.get()
    if built is not None:
        unify_converters([*built, converter])
        built.append(converter)

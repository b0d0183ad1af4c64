"""Name lookup: each pair of braces declares its own registers, variables and labels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tilewright.ptx import model, registers
from tilewright.ptx.value_types import TYPES, ScalarType


@dataclass(frozen=True, slots=True)
class Register:
    """A register of a type; `vector` is the number of components of a vector register, otherwise 0."""

    type: ScalarType
    vector: int = 0


@dataclass(frozen=True, slots=True)
class SpecialRegister:
    """A read-only register of the hardware: its name, such as ``%tid``, and the type of its value."""

    name: str
    type: ScalarType


Meaning = (
    Register
    | SpecialRegister
    | model.PtxVariable
    | model.Label
    | model.PtxFunction
    | model.JumpTargets
    | model.Prototype
    | model.Alias
)
_NUMBERED = re.compile(r"(.*?)(0|[1-9]\d{0,6})")


_NO_RANGE = (0, None, model.NOWHERE)


class ScopeNames:
    """The names that the statements of a scope declare, and the enclosing scope ``outer``. ``own`` maps names
    to their meanings, without numbered registers such as ``%r<4>``; ``twice`` lists repeated declarations.
    """

    def __init__(self, statements: Iterable[model.Statement], outer: ScopeNames | None = None) -> None:
        self.outer = outer
        self.own: dict[str, Meaning] = {}
        self._ranges: dict[str, tuple[int, Register, model.LineColumn]] = {}
        self.twice: list[tuple[str, model.LineColumn]] = []
        self.different: list[model.PtxFunction] = []
        """Functions that were declared with another signature before."""
        for statement in statements:
            self._declare(statement)
        for name, (_, _, place) in self._ranges.items():
            self.twice.extend((own, place) for own in self.own if self._numbered(own, name))

    def _declare(self, statement: model.Statement) -> None:
        match statement:
            case model.RegisterDeclaration():
                meaning = Register(TYPES[statement.type], statement.vector)
                for name, count in statement.names:
                    if count is None:
                        self._enter(name, meaning, statement.place)
                    else:
                        self._ranges[name] = (count, meaning, statement.place)
            case model.PtxVariable() if statement.space == "reg":
                self._enter(
                    statement.name, Register(TYPES[statement.type], statement.vector), statement.place
                )
            case model.PtxVariable() | model.Label() | model.Alias():
                self._enter(statement.name, statement, statement.place)
            case model.PtxFunction():
                self._function(statement)
            case model.JumpTargets() | model.Prototype():
                self._enter(statement.label, statement, statement.place)
            case _:
                pass

    def _enter(self, name: str, meaning: Meaning, place: model.LineColumn) -> None:
        before = self.own.get(name)
        if before is not None and not _redeclarable(before, meaning):
            self.twice.append((name, place))
        elif name != "_":
            self.own[name] = meaning

    def _function(self, function: model.PtxFunction) -> None:
        before = self.own.get(function.name)
        if isinstance(before, model.PtxFunction) and (before.body is None or function.body is None):
            if not same_signature(before, function):
                self.different.append(function)
            if function.body is not None:
                self.own[function.name] = function
        else:
            self._enter(function.name, function, function.place)

    def find(self, name: str) -> Meaning | None:
        """Return the meaning of a name in this scope: of the innermost declaration, or a special register.
        `None` if it is not declared.
        """
        scope: ScopeNames | None = self
        while scope is not None:
            found = scope.here(name)
            if found is not None:
                return found
            scope = scope.outer
        return _special(name)

    def here(self, name: str) -> Meaning | None:
        """Return the meaning of a name that this scope itself declares, or `None`."""
        found = self.own.get(name)
        if found is None and self._ranges:
            match = _NUMBERED.fullmatch(name)
            count, meaning, _ = self._ranges.get(match[1], _NO_RANGE) if match else _NO_RANGE
            if match and int(match[2]) < count:
                return meaning
        return found

    def _numbered(self, own: str, prefix: str) -> bool:
        """Return whether `own` is a register of a declaration such as ``.reg .b32 %r<4>``: `prefix` and a
        number below the count.
        """
        match = _NUMBERED.fullmatch(own)
        return match is not None and match[1] == prefix and int(match[2]) < self._ranges[prefix][0]

    def scope_of(self, name: str) -> ScopeNames | None:
        """Return the innermost scope that declares a name; `None` if there is none, also for special
        registers.
        """
        scope: ScopeNames | None = self
        while scope is not None and scope.here(name) is None:
            scope = scope.outer
        return scope


def _redeclarable(before: Meaning, after: Meaning) -> bool:
    """Return whether both are variables, and one is an external declaration, so that the name may be declared
    twice.
    """
    if not (isinstance(before, model.PtxVariable) and isinstance(after, model.PtxVariable)):
        return False
    return "extern" in (before.linkage, after.linkage)


def _special(name: str) -> SpecialRegister | None:
    type_ = registers.SPECIAL.get(name)
    if type_ is None and name in registers.SPECIAL_VECTORS:
        type_ = "u32"
    return None if type_ is None else SpecialRegister(name, TYPES[type_])


def function_names(function: model.PtxFunction, outer: ScopeNames) -> ScopeNames:
    """Return the scope of a function's parameters and results, inside of `outer`."""
    return ScopeNames((*function.parameters, *function.returns), outer)


def walk(scope: model.PtxScope, outer: ScopeNames) -> Iterator[tuple[model.Statement, ScopeNames]]:
    """Yield every statement of a scope and of nested scopes, in order, with the names visible there."""
    pending: list[tuple[Iterator[model.Statement], ScopeNames]] = [
        (iter(scope.statements), ScopeNames(scope.statements, outer))
    ]
    while pending:
        statements, names = pending[-1]
        statement = next(statements, None)
        if statement is None:
            pending.pop()
            continue
        yield statement, names
        if isinstance(statement, model.PtxScope):
            pending.append((iter(statement.statements), ScopeNames(statement.statements, names)))


def same_signature(first: model.PtxFunction, second: model.PtxFunction) -> bool:
    """Return whether both are kernels or both functions, and their parameters and results agree in number,
    state spaces, widths, vectors and extents.
    """
    return first.entry == second.entry and all(
        [_shape(one) for one in some] == [_shape(one) for one in others]
        for some, others in ((first.parameters, second.parameters), (first.returns, second.returns))
    )


def _shape(one: model.PtxVariable) -> tuple[object, ...]:
    return one.space, TYPES[one.type].bits, one.vector, one.dims

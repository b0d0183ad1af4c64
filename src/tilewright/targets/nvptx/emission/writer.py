"""Writes instructions of one function: forms are found by their spelling, registers are counted by pool.

A constant is an `Integer` everywhere, the bits of floats included; what a form takes decides how it is written, and
whether it has to be in a register.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import count
from typing import NamedTuple

from tilewright.dialects.common.chips import Chip
from tilewright.dialects.nvvm.base import RequiresSM
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.operation import Operation
from tilewright.ptx.matching import assign
from tilewright.ptx.model import (
    Address,
    Float,
    Guard,
    Instruction,
    Integer,
    Label,
    Location,
    Name,
    Operand,
    Registers,
    Statement,
    Vector,
)
from tilewright.ptx.registers import CLASSES, RegisterClass
from tilewright.ptx.table.instructions import lookup
from tilewright.ptx.table.notation import Form, OperandForm
from tilewright.ptx.types import TYPES, Kind
from tilewright.targets.nvptx import codes
from tilewright.targets.nvptx.emission.legal import BY_BITS, DOUBLES, PREDICATES, SHORTS, SINGLES
from tilewright.targets.nvptx.versions import Version, least_version

SINK = Name("_")
_RESULT = Name("%result")
"""Stands for a destination while a form is looked for."""


class Place(NamedTuple):
    """What stands at a place of a form: the number of the operand that is given, and how a constant is written there.

    ``constant`` is ``integer``, ``number`` (as it is), ``float`` or ``register``.
    """

    operand: int | None
    constant: str
    bits: int


class Plan(NamedTuple):
    """A form with its modifiers, and what stands at its places."""

    form: Form
    modifiers: tuple[tuple[str, str], ...]
    places: tuple[Place, ...]
    result: RegisterClass | None


def _constant(name: str, form: OperandForm, chosen: dict[str, str]) -> tuple[str, int]:
    """How a constant is written at a place, and its width.  Predicates can only be moved from one."""
    if form.sort == "constant":
        return "number", 64
    if form.count in ("pieces", "any"):
        return "register", 0
    row = TYPES.get(chosen.get(form.type, form.type))
    if row is None:
        return "integer", 64
    if row.kind is Kind.FLOAT and row.bits > 16:
        return "float", row.bits
    bits = max(row.bits, 16) if row.bits > 1 else 1
    in_register = row.kind in (Kind.FLOAT, Kind.PACKED) or (row.kind is Kind.PREDICATE and name != "mov")
    return "register" if in_register else "integer", bits


def _destination(forms: Sequence[OperandForm], chosen: dict[str, str]) -> RegisterClass | None:
    first = next((form for form in forms if form.written), None)
    row = TYPES.get(chosen.get(first.type, first.type)) if first is not None else None
    if row is None:
        return None
    if row.kind is Kind.PREDICATE:
        return PREDICATES
    if row.kind is Kind.FLOAT:
        return {16: SHORTS, 32: SINGLES, 64: DOUBLES}[row.bits]
    return BY_BITS[max(row.bits, 16)]


class _Coordinates:
    """Stands for the class of addresses with coordinates, which other forms have than those without."""


def _kind(operand: Operand) -> type:
    if type(operand) is Address and operand.coordinates is not None:
        return _Coordinates
    return type(operand)


_PLANS: dict[tuple[str | type, ...], Plan] = {}
"""What was planned, by the spelling and the kinds of the operands."""


def plan(spelling: str, operands: Sequence[Operand]) -> Plan:
    """The form that a spelling and operands of these kinds have."""
    key = (spelling, *map(_kind, operands))
    found = _PLANS.get(key)
    if found is None:
        found = _PLANS[key] = _planned(spelling, list(operands))
    return found


def _planned(spelling: str, operands: list[Operand]) -> Plan:
    for form, chosen in lookup(tuple(spelling.split("."))):
        assigned = assign(form, chosen, operands)
        if assigned is not None:
            number = count()
            given = [None if one is None else next(number) for one in assigned]
            forms = form.operands if len(form.operands) == len(given) else form.operands[:1] * len(given)
            places = (
                Place(at, *_constant(form.name, one, chosen)) for at, one in zip(given, forms, strict=True)
            )
            return Plan(form, tuple(chosen.items()), tuple(places), _destination(form.operands, chosen))
    raise AssertionError(f"no form '{spelling}' takes these operands: {operands}")


@lru_cache(maxsize=1024)
def least_architecture(spelling: str) -> int:
    """The least architecture with an instruction of this spelling."""
    found = lookup(tuple(spelling.split(".")))
    assert found, spelling
    return min(form.sm for form, _ in found)


def signed(value: int, bits: int) -> int:
    """The low bits of a number, read as a signed integer."""
    low = value & ((1 << bits) - 1)
    return low - (1 << bits) if low >> (bits - 1) else low


@lru_cache(maxsize=1 << 14)
def _register(pool: RegisterClass, number: int) -> Name:
    """The register of a number; functions use the same ones again and again."""
    return Name(f"{pool.prefix}{number}")


class Writer:
    """The statements of one function, and how many registers of each pool they use."""

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        self.version: Version = least_version(chip)
        self.statements: list[Statement] = []
        self._counts = dict.fromkeys(CLASSES, 0)
        self._labels = 0
        self.location: Location | None = None
        """The place in the source that the next instructions come from, if it is known."""
        self._located: Location | None = None
        """The place that the last `.loc` says."""
        self.op: Operation | None = None
        """The operation that is being written, for diagnostics."""

    # --- names

    def register(self, pool: RegisterClass) -> Name:
        """A new register."""
        number = self._counts[pool] = self._counts[pool] + 1
        return _register(pool, number)

    def label(self) -> str:
        """A new label."""
        self._labels += 1
        return f"$L{self._labels}"

    def declarations(self) -> list[Registers]:
        """The registers in use, by pool."""
        used = ((pool, number) for pool, number in self._counts.items() if number)
        return [Registers(pool.type, ((pool.prefix, number + 1),)) for pool, number in used]

    # --- instructions

    def emit(self, spelling: str, *operands: Operand, guard: Guard | None = None) -> None:
        """Append an instruction.  Raises `DiagnosticError` if the chip lacks it."""
        self._append(plan(spelling, operands), spelling, operands, guard)

    def _append(
        self, found: Plan, spelling: str, operands: Sequence[Operand], guard: Guard | None = None
    ) -> None:
        form = found.form
        if form.sm > self.chip.number:
            raise self.lacking(f"'{spelling}' needs sm_{form.sm}")
        if form.ptx > self.version:
            self.version = form.ptx
        written = tuple(
            [
                None if place.operand is None else self._written(operands[place.operand], place)
                for place in found.places
            ]
        )
        if self.location is not None and self.location != self._located:
            self.statements.append(self.location)
            self._located = self.location
        self.statements.append(Instruction(form, found.modifiers, written, guard))

    def compute(self, spelling: str, *sources: Operand) -> Name:
        """Append an instruction; its result, in a new register of the pool that the form names."""
        found = plan(spelling, (_RESULT, *sources))
        assert found.result is not None, spelling
        result = self.register(found.result)
        self._append(found, spelling, (result, *sources))
        return result

    def has(self, spelling: str) -> bool:
        """Whether the chip has an instruction of this spelling."""
        return least_architecture(spelling) <= self.chip.number

    def mark(self, label: str) -> None:
        """Append a label."""
        self.statements.append(Label(label))

    def in_register(self, operand: Operand, pool: RegisterClass) -> Name:
        """An operand as a register: a constant is moved to a new one of the pool."""
        if isinstance(operand, Name) and not operand.offset:
            return operand
        assert isinstance(operand, Integer | Name), operand
        result = self.register(pool)
        self.emit(f"mov.{pool.type}", result, operand)
        return result

    def _written(self, operand: Operand, place: Place) -> Operand:
        if operand.__class__ is Name:
            return operand
        if isinstance(operand, Vector) and place.constant != "register":
            return Vector(tuple(self._written(one, place) for one in operand.elements))
        if not isinstance(operand, Integer) or place.constant == "number":
            return operand
        if place.constant == "float":
            return Float(operand.value & ((1 << place.bits) - 1), place.bits)
        if place.constant == "register":
            return self.in_register(operand, BY_BITS[place.bits])
        return constant(operand.value, place.bits)

    # --- diagnostics

    def lacking(self, reason: str, hint: str = "") -> DiagnosticError:
        """The failure of an operation that the chip has no instruction for."""
        assert self.op is not None
        message = f"{self.chip.name} cannot do '{self.op.kind.name}': {reason}"
        return failure(codes.NOT_ON_CHIP, message, self.op.location, hint=hint or "ask for a later GPU")

    def refused(self, reason: str, hint: str) -> DiagnosticError:
        """The failure of an operation that PTX has no form for."""
        assert self.op is not None
        message = f"operation '{self.op.kind.name}' has no form in PTX: {reason}"
        return failure(codes.NO_PTX_FORM, message, self.op.location, hint=hint)

    def check_processor(self, op: Operation) -> None:
        """Raise unless the chip has what the declaration of an operation asks for."""
        for trait in _processors(op.kind):
            if not trait.is_supported(self.chip.number, architecture_specific=bool(self.chip.suffix)):
                named = ", ".join(f"sm_{version}" for version in trait.versions)
                words = (
                    f"it exists in the variants with 'a' of {named} only"
                    if trait.exact
                    else f"it needs {named}"
                )
                raise self.lacking(words)


@cache
def _processors(kind: OperationKind) -> tuple[RequiresSM, ...]:
    """The processors that the declaration of an operation asks for."""
    return tuple(trait for trait in kind.traits if isinstance(trait, RequiresSM))


def constant(value: int, bits: int) -> Integer:
    """An integer constant, as PTX holds it: 64 bits, negative ones filled with ones."""
    held = signed(value, bits) & ((1 << 64) - 1)
    return Integer(held, unsigned=held == 1 << 63)

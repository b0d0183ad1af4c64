"""Writes the instructions of a function: forms are found by spelling, and registers are counted by class.

A constant is an `IntegerConstant`, including the bits of floats. The form decides how a constant is written, and
whether it must be in a register.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import count
from typing import NamedTuple

from tilewright.dialects.common.chips import Chip
from tilewright.dialects.nvvm.constraints import RequiresSM
from tilewright.ir.declaration.kind import OperationKind
from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.operation import Operation
from tilewright.ptx import matching, model, registers, value_types
from tilewright.ptx.table import choices
from tilewright.ptx.table.instructions import lookup
from tilewright.ptx.table.notation import InstructionForm, OperandForm
from tilewright.targets.nvptx import codes, tools
from tilewright.targets.nvptx.nvvm_to_ptx.legal import BY_BITS, DOUBLES, PREDICATES, SHORTS, SINGLES

SINK = model.Name("_")
_RESULT = model.Name("%result")
"""A placeholder of a destination in the search for a form."""


class FormOperand(NamedTuple):
    """How an operand of an instruction is written: ``operand`` is its index among the operands that `emit` is
    given (None: the operand is left out), and `constant` the notation of a constant in its place.

    `constant` is ``integer``, ``number`` (unchanged), ``float``, or ``register`` (the constant is moved to a
    register); `bits` is the width of the constant.
    """

    operand: int | None
    constant: str
    bits: int


class Plan(NamedTuple):
    """A form of an instruction with its modifiers, how each operand is written (`places`), and the class of
    register of its result (`result`; None: it has no result).

    `sm` and `ptx` are the minimum architecture and version of the form with these modifiers.
    """

    form: InstructionForm
    sm: int
    ptx: tools.Version
    modifiers: tuple[tuple[str, str], ...]
    places: tuple[FormOperand, ...]
    result: registers.RegisterClass | None


def _constant(name: str, form: OperandForm, chosen: dict[str, str]) -> tuple[str, int]:
    """Return how a constant is written as the operand `form` of the instruction `name`
    (`FormOperand.constant`: "integer", "float", "number", or "register" if it must be in a register), and its
    width in bits. `chosen` maps the type variables of the instruction to types, such as ``f32``. Predicates
    must be in registers, except for `mov`.
    """
    if form.sort == "constant":
        return "number", 64
    if form.count in ("pieces", "any"):
        return "register", 0
    row = value_types.TYPES.get(chosen.get(form.type, form.type))
    if row is None:
        return "integer", 64
    if row.kind is value_types.ValueKind.FLOAT and row.bits > 16:
        return "float", row.bits
    bits = max(row.bits, 16) if row.bits > 1 else 1
    in_register = row.kind in (value_types.ValueKind.FLOAT, value_types.ValueKind.PACKED) or (
        row.kind is value_types.ValueKind.PREDICATE and name != "mov"
    )
    return "register" if in_register else "integer", bits


def _destination(forms: Sequence[OperandForm], chosen: dict[str, str]) -> registers.RegisterClass | None:
    first = next((form for form in forms if form.written), None)
    row = value_types.TYPES.get(chosen.get(first.type, first.type)) if first is not None else None
    if row is None:
        return None
    if row.kind is value_types.ValueKind.PREDICATE:
        return PREDICATES
    if row.kind is value_types.ValueKind.FLOAT:
        return {16: SHORTS, 32: SINGLES, 64: DOUBLES}[row.bits]
    return BY_BITS[max(row.bits, 16)]


class _Coordinates:
    """A key for the search of forms: an address with coordinates needs other forms than a plain address."""


def _kind(operand: model.Operand) -> type:
    if type(operand) is model.Address and operand.coordinates is not None:
        return _Coordinates
    return type(operand)


_PLANS: dict[tuple[str | type, ...], Plan] = {}
"""Cached plans, by spelling and kinds of operands."""


def plan(spelling: str, operands: Sequence[model.Operand]) -> Plan:
    """Return the form of the instruction `spelling` (name and modifiers) that takes operands of these kinds,
    with how each is written. Raises `AssertionError` if there is none.
    """
    key = (spelling, *map(_kind, operands))
    found = _PLANS.get(key)
    if found is None:
        found = _PLANS[key] = _planned(spelling, list(operands))
    return found


def _planned(spelling: str, operands: list[model.Operand]) -> Plan:
    for form, chosen in lookup(tuple(spelling.split("."))):
        assigned = matching.assign(form, chosen, operands)
        if assigned is not None:
            number = count()
            given = [None if one is None else next(number) for one in assigned]
            forms = form.operands if len(form.operands) == len(given) else form.operands[:1] * len(given)
            places = (
                FormOperand(at, *_constant(form.name, one, chosen))
                for at, one in zip(given, forms, strict=True)
            )
            modifiers = tuple(chosen.items())
            sm, ptx = choices.least(form.name, modifiers)
            needed = max(form.sm, sm), max(form.ptx, ptx)
            return Plan(form, *needed, modifiers, tuple(places), _destination(form.operands, chosen))
    raise AssertionError(f"no form '{spelling}' takes these operands: {operands}")


@lru_cache(maxsize=1024)
def least_architecture(spelling: str) -> int:
    """Return the minimum architecture, such as 80, with an instruction of this spelling, which must exist."""
    found = lookup(tuple(spelling.split(".")))
    assert found, spelling
    return min(max(form.sm, choices.least(form.name, tuple(chosen.items()))[0]) for form, chosen in found)


def signed(value: int, bits: int) -> int:
    """Return the low `bits` bits of `value` as a two's-complement integer."""
    low = value & ((1 << bits) - 1)
    return low - (1 << bits) if low >> (bits - 1) else low


@lru_cache(maxsize=1 << 14)
def _register(pool: registers.RegisterClass, number: int) -> model.Name:
    """Return the name of register `number` of the class `pool`, such as ``%r5``; the objects are cached for
    all functions.
    """
    return model.Name(f"{pool.prefix}{number}")


class StatementWriter:
    """Collects the statements of a function (`statements`), and counts the registers of each class that it
    uses. ``version`` is the minimum PTX version of the instructions so far.
    """

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        self.version: tools.Version = tools.least_version(chip)
        self.statements: list[model.Statement] = []
        self._counts = dict.fromkeys(registers.CLASSES, 0)
        self._labels = 0
        self.location: model.LocDirective | None = None
        """The source location of the next instructions, if it is known."""
        self._located: model.LocDirective | None = None
        """The location of the last `.loc`."""
        self.op: Operation | None = None
        """The operation that is being written, for diagnostics."""

    # --- names

    def register(self, pool: registers.RegisterClass) -> model.Name:
        """Return the name of a new register of the class `pool`, which the function then declares."""
        number = self._counts[pool] = self._counts[pool] + 1
        return _register(pool, number)

    def label(self) -> str:
        """Return the name of a new label, such as ``$L1``, which `mark` places."""
        self._labels += 1
        return f"$L{self._labels}"

    def declarations(self) -> list[model.RegisterDeclaration]:
        """Return the declarations of the used registers, by class."""
        used = ((pool, number) for pool, number in self._counts.items() if number)
        return [model.RegisterDeclaration(pool.type, ((pool.prefix, number + 1),)) for pool, number in used]

    # --- instructions

    def emit(
        self, spelling: str, *operands: model.Operand, guard: model.InstructionGuard | None = None
    ) -> None:
        """Append the instruction `spelling` (name and modifiers) with its operands, destinations first; it is
        executed only if `guard`, unless that is None. Constants in `operands` are written as the form
        requires. Raises `DiagnosticError` if the chip lacks the instruction.
        """
        self._append(plan(spelling, operands), spelling, operands, guard)

    def _append(
        self,
        found: Plan,
        spelling: str,
        operands: Sequence[model.Operand],
        guard: model.InstructionGuard | None = None,
    ) -> None:
        form = found.form
        if found.sm > self.chip.number:
            raise self.lacking(f"'{spelling}' needs sm_{found.sm}")
        if found.ptx > self.version:
            self.version = found.ptx
        written = tuple(
            [
                None if place.operand is None else self._written(operands[place.operand], place)
                for place in found.places
            ]
        )
        if self.location is not None and self.location != self._located:
            self.statements.append(self.location)
            self._located = self.location
        self.statements.append(model.PtxInstruction(form, found.modifiers, written, guard))

    def compute(self, spelling: str, *sources: model.Operand) -> model.Name:
        """Append an instruction and return its result, a new register of the class that the form determines."""
        found = plan(spelling, (_RESULT, *sources))
        assert found.result is not None, spelling
        result = self.register(found.result)
        self._append(found, spelling, (result, *sources))
        return result

    def has(self, spelling: str) -> bool:
        """Return whether the chip has an instruction of this spelling, which PTX must have."""
        return least_architecture(spelling) <= self.chip.number

    def mark(self, label: str) -> None:
        """Append the label `label` to the statements."""
        self.statements.append(model.Label(label))

    def in_register(self, operand: model.Operand, pool: registers.RegisterClass) -> model.Name:
        """Return `operand` as the name of a register: a constant, or a name with an offset, is moved to a new
        register of the class `pool`.
        """
        if isinstance(operand, model.Name) and not operand.offset:
            return operand
        assert isinstance(operand, model.IntegerConstant | model.Name), operand
        result = self.register(pool)
        self.emit(f"mov.{pool.type}", result, operand)
        return result

    def _written(self, operand: model.Operand, place: FormOperand) -> model.Operand:
        if operand.__class__ is model.Name:
            return operand
        if isinstance(operand, model.Vector) and place.constant != "register":
            return model.Vector(tuple(self._written(one, place) for one in operand.elements))
        if not isinstance(operand, model.IntegerConstant) or place.constant == "number":
            return operand
        if place.constant == "float":
            return model.Float(operand.value & ((1 << place.bits) - 1), place.bits)
        if place.constant == "register":
            return self.in_register(operand, BY_BITS[place.bits])
        return constant(operand.value, place.bits)

    # --- diagnostics

    def lacking(self, reason: str, hint: str = "") -> DiagnosticError:
        """Return the error that the chip has no instruction for the current operation, for the caller to
        raise; `reason` completes the message. Without `hint`, the error advises a later GPU.
        """
        assert self.op is not None
        message = f"{self.chip.name} cannot do '{self.op.kind.name}': {reason}"
        return failure(codes.NOT_ON_CHIP, message, self.op.location, hint=hint or "compile for a later GPU")

    def refused(self, reason: str, hint: str) -> DiagnosticError:
        """Return the error that the current operation has no form in PTX, for the caller to raise; `reason`
        completes the message.
        """
        assert self.op is not None
        message = f"operation '{self.op.kind.name}' has no form in PTX: {reason}"
        return failure(codes.NO_PTX_FORM, message, self.op.location, hint=hint)

    def check_processor(self, op: Operation) -> None:
        """Raise `DiagnosticError` unless the chip is one that the kind of `op` requires (`RequiresSM`)."""
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
    """Return the traits of a kind of operation that require certain chips."""
    return tuple(trait for trait in kind.traits if isinstance(trait, RequiresSM))


def constant(value: int, bits: int) -> model.IntegerConstant:
    """Return the low `bits` bits of `value` as an integer constant, sign-extended to 64 bits as PTX
    represents it.
    """
    held = signed(value, bits) & ((1 << 64) - 1)
    return model.IntegerConstant(held, unsigned=held == 1 << 63)

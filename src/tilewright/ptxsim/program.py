"""Name resolution: registers become indices, and operands become functions that read or write them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tilewright.ptx import model
from tilewright.ptx.rules import declarations
from tilewright.ptx.scopes import Register, ScopeNames, SpecialRegister, function_names
from tilewright.ptx.value_types import TYPES, ValueKind
from tilewright.ptxsim import code as ptxsim_code, codes, faults, instruction_state, layout as ptxsim_layout
from tilewright.ptxsim.values import UNSIGNED, Array, dtype

Read = Callable[[instruction_state.InstructionState], Any]
Write = Callable[[instruction_state.InstructionState, Any, Array | None], None]


class NameResolver:
    """Resolves the names in `function`, a function of `module`, to registers, variables and special
    registers. `layout` has the addresses of variables, and `parameters` the offsets of a kernel's parameters.
    `code` collects the function's registers and local variables.
    """

    def __init__(
        self,
        module: model.Module,
        layout: ptxsim_layout.VariableLayout,
        function: model.PtxFunction,
        parameters: dict[int, int],
    ) -> None:
        self.file_name = module.file_name
        self.layout = layout
        self.code = ptxsim_code.FunctionCode(function)
        self.parameters = parameters
        """The offsets of a kernel's parameters, by identity; empty for other functions."""
        self.slots: dict[tuple[int, str], int] = {}
        self.labels: dict[tuple[int, str], int] = {}
        self._slots: dict[tuple[int, model.Name], tuple[int, Register]] = {}
        self._reads: dict[tuple[int, model.Name, str], tuple[Read, tuple[int, ...]]] = {}
        """Resolved names, by the identity of the surrounding scope."""
        self.outer = function_names(function, ScopeNames(module.statements))
        if not function.entry:
            for one in (*function.parameters, *function.returns):
                self.place(one)

    def place(self, one: model.PtxVariable) -> None:
        """Allocate a variable in the local memory of an activation, or registers if its space is `reg`."""
        if one.space == "reg":
            parts = [model.Name(one.name, axis) for axis in "xyzw"[: one.vector]] or [model.Name(one.name)]
            self.code.named[one.name] = tuple(self.slot(part, self.outer)[0] for part in parts)
            return
        align = max(declarations.alignment_of(one), 8)
        start = -(-self.code.local_bytes // align) * align
        self.code.locals[id(one)] = start
        self.code.local_bytes = -(-(start + ptxsim_layout.size_of(one)) // 16) * 16

    def slot(self, name: model.Name, names: ScopeNames) -> tuple[int, Register]:
        """Return the index and the declaration of the register that `name` refers to in the scope `names`; a
        component of a vector has an index of its own. The index is allocated at the first call. Raises
        `Fault` for a width that is not simulated.
        """
        found = self._slots.get((id(names), name))
        if found is None:
            found = self._slots[id(names), name] = self._slot(name, names)
        return found

    def _slot(self, name: model.Name, names: ScopeNames) -> tuple[int, Register]:
        meaning, scope = names.find(name.text), names.scope_of(name.text)
        assert isinstance(meaning, Register)
        component = name.component.translate(str.maketrans("rgba", "xyzw"))
        key = (id(scope), f"{name.text}.{component}" if component else name.text)
        if key not in self.slots:
            self.slots[key] = len(self.code.registers)
            bits = meaning.type.bits
            if bits not in UNSIGNED:
                raise faults.Fault(codes.NOT_SIMULATED, f"registers of {bits} bits are not simulated")
            self.code.registers.append(bits)
        return self.slots[key], meaning

    def vector(self, operand: model.Operand, names: ScopeNames) -> tuple[model.Operand, ...]:
        """Return the elements of a vector, or the components of a vector register; other operands are their
        only element.
        """
        if isinstance(operand, model.Vector):
            return operand.elements
        if isinstance(operand, model.Name) and not operand.component:
            meaning = names.find(operand.text)
            if isinstance(meaning, Register) and meaning.vector:
                return tuple(model.Name(operand.text, axis) for axis in "xyzw"[: meaning.vector])
        return (operand,)

    def read(self, operand: model.Operand, type_name: str, names: ScopeNames) -> tuple[Read, tuple[int, ...]]:
        """Return a function that reads an operand as `type_name`, and the indices of the registers that it
        reads. It returns an element for each executing thread, or a scalar.

        Raises `Fault` for an operand that is not simulated.
        """
        match operand:
            case model.IntegerConstant() | model.Float():
                return _constant(operand, type_name), ()
            case model.Not():
                inner, slots = self.read(operand.operand, type_name, names)
                return lambda c: ~inner(c), slots
            case model.Name():
                key = (id(names), operand, type_name)
                if key not in self._reads:
                    self._reads[key] = self._read_name(operand, type_name, names)
                return self._reads[key]
            case _:
                raise faults.Fault(codes.NOT_SIMULATED, "an operand of this kind is not simulated here")

    def _read_name(self, name: model.Name, type_name: str, names: ScopeNames) -> tuple[Read, tuple[int, ...]]:
        meaning = names.find(name.text)
        if isinstance(meaning, Register):
            slot, _ = self.slot(name, names)
            whole = _viewed(slot, meaning.type.bits, type_name)
            if not name.offset:
                return whole, (slot,)
            distance = np.int64(name.offset).astype(dtype(type_name))
            return lambda c: whole(c) + distance, (slot,)
        kind = dtype(type_name)
        if isinstance(meaning, SpecialRegister):
            key = f"{name.text}.{name.component}" if name.component else name.text
            return lambda c: _special(c, key, kind), ()
        if isinstance(meaning, model.PtxVariable):
            address = self.address(meaning)
            return lambda c: kind(address(c) + name.offset), ()
        if isinstance(meaning, model.PtxFunction):
            value = self.layout.function_address(meaning.name)
            return lambda c: kind(value), ()
        raise faults.Fault(codes.NOT_SIMULATED, f"'{name.text}' is not a value")

    def address(self, one: model.PtxVariable) -> Callable[[instruction_state.InstructionState], int]:
        """Return a function that returns the address of a variable in its own state space.

        Raises `Fault` for a variable that is only declared.
        """
        if id(one) in self.parameters:
            place = self.parameters[id(one)]
            return lambda c: place
        if id(one) in self.code.locals:
            start = self.code.locals[id(one)]
            return lambda c: c.frame.base + start
        fixed = self.layout.addresses.get(id(one))
        if fixed is None:
            raise faults.Fault(codes.BAD_LAUNCH, f"'{one.name}' has no address: it is declared only")
        return lambda c: fixed

    def write(self, operand: model.Operand, type_name: str, names: ScopeNames) -> Write:
        """Return a function that writes a value, read as words of `type_name`, and its mask of undefined
        threads to the destination `operand`. A pair of destinations takes a pair of values; ``_`` drops the
        value.
        """
        if isinstance(operand, model.Pair):
            return _both(
                self.write(operand.first, type_name, names), self.write(operand.second, "pred", names)
            )
        assert isinstance(operand, model.Name)
        if operand.text == "_":
            return lambda c, value, poison: None
        slot, meaning = self.slot(operand, names)
        return _writer(slot, meaning.type.bits)


def _writer(slot: int, bits: int) -> Write:
    """Return a function that writes the register `slot` of `bits` bits. Values of its width are reinterpreted
    as words; others are converted.
    """
    kind = np.dtype(UNSIGNED[bits])
    size = kind.itemsize

    def write(c: instruction_state.InstructionState, value: Any, poison: Array | None) -> None:
        given = value.dtype
        if given.itemsize != size or given.kind == "b":
            c.put(slot, value, poison)
        else:
            c.put_words(slot, value if given is kind else value.view(kind), poison)

    return write


def _both(first: Write, second: Write) -> Write:
    def write(c: instruction_state.InstructionState, value: Any, poison: Array | None) -> None:
        first(c, value[0], poison)
        second(c, value[1], poison)

    return write


def _constant(operand: model.IntegerConstant | model.Float, type_name: str) -> Read:
    row = TYPES[type_name]
    if row.kind is ValueKind.PREDICATE:
        flag = np.bool_(bool(operand.value if isinstance(operand, model.IntegerConstant) else operand.bits))
        return lambda c: flag
    kind = dtype(type_name)
    if isinstance(operand, model.IntegerConstant):
        bits = operand.value & ((1 << row.bits) - 1)
        value = kind(bits) if row.kind is not ValueKind.SIGNED else UNSIGNED[row.bits](bits).view(kind)
    elif operand.width == row.bits:
        value = UNSIGNED[row.bits](operand.bits).view(kind)
    else:
        value = UNSIGNED[operand.width](operand.bits).view({32: np.float32, 64: np.float64}[operand.width])
        value = value.astype({16: np.float16, 32: np.float32, 64: np.float64}[row.bits]).view(kind)
    return lambda c: value


def _viewed(slot: int, bits: int, type_name: str) -> Read:
    row = TYPES[type_name]
    if row.kind is ValueKind.PREDICATE:
        return lambda c: c.take(slot)
    kind = dtype(type_name)
    if row.bits == bits and kind is UNSIGNED[bits]:
        return lambda c: c.take(slot)
    if row.bits == bits:

        def viewed(c: instruction_state.InstructionState) -> Array:
            value = c.frame.values[slot]
            return value.view(kind) if c.lanes is None else value[c.lanes].view(kind)

        return viewed
    narrow = UNSIGNED[row.bits if row.bits in UNSIGNED else 8]
    return lambda c: c.take(slot).astype(narrow).view(kind)


def _special(c: instruction_state.InstructionState, name: str, kind: Any) -> Array:
    value = c.block.special(name)
    if value.ndim and c.lanes is not None:
        value = value[c.lanes]
    return value.astype(kind)


class InstructionSite:
    """An instruction and the names in its scope: the input of rules."""

    def __init__(self, resolver: NameResolver, instruction: model.PtxInstruction, names: ScopeNames) -> None:
        self.resolver = resolver
        self.instruction = instruction
        self.names = names
        self.form = instruction.form

    def has(self, slot: str) -> bool:
        """Return whether a modifier is present in the slot `slot`."""
        return bool(self.instruction.modifier(slot))

    def modifier(self, slot: str) -> str:
        """Return the modifier in the slot `slot`, or the empty string if it is left out or the form has no
        such slot.
        """
        return self.instruction.modifier(slot)

    def operand(self, name: str) -> model.Operand | None:
        """Return the operand with a name in the form; `None` if it is left out, or if the form has no such
        operand.
        """
        at = next((at for at, one in enumerate(self.form.operands) if one.name == name), None)
        return None if at is None else self.instruction.operands[at]

    def type_of(self, name: str) -> str:
        """Return the PTX type of the operand `name`, which the form or one of its modifiers says; empty if
        neither does.
        """
        place = next(one for one in self.form.operands if one.name == name)
        return self.modifier(place.type) or place.type

    def read(self, name: str, type_name: str = "") -> tuple[Read, tuple[int, ...]]:
        """Return a reader of the operand `name`, which must be present, as the type of the form or as
        `type_name`, and the indices of the registers that it reads.
        """
        operand = self.operand(name)
        assert operand is not None
        return self.resolver.read(operand, type_name or self.type_of(name), self.names)

    def write(self, name: str = "d", type_name: str = "") -> Write:
        """Return a function that writes the operand `name`, which must be present, as the type of the form or
        as `type_name`.
        """
        operand = self.operand(name)
        assert operand is not None
        return self.resolver.write(operand, type_name or self.type_of(name), self.names)

    def elements(self, name: str) -> tuple[model.Operand, ...]:
        """Return the elements of the operand `name`, which must be present: of a vector, or the components of
        a vector register; a scalar is its only element.
        """
        operand = self.operand(name)
        assert operand is not None
        return self.resolver.vector(operand, self.names)

    def address(self, name: str = "a") -> tuple[Read, tuple[int, ...], str]:
        """Return a function that computes the address in the operand `name`, the indices of the registers
        that it reads, and the state space of the variable at its base, or the empty string if the base is no
        variable.
        """
        operand = self.operand(name)
        assert isinstance(operand, model.Address)
        distance = np.uint64(operand.offset & (2**64 - 1))
        if operand.base is None:
            return lambda c: distance, (), ""
        meaning = self.names.find(operand.base.text)
        if isinstance(meaning, model.PtxVariable):
            place = self.resolver.address(meaning)
            space = meaning.space
            if space == "param" and id(meaning) in self.resolver.code.locals:
                space = "local"
            return lambda c: np.uint64(place(c)) + distance, (), space
        bits = meaning.type.bits if isinstance(meaning, Register) else 64
        base, slots = self.resolver.read(operand.base, f"u{bits}", self.names)
        return lambda c: base(c).astype(np.uint64) + distance, slots, ""

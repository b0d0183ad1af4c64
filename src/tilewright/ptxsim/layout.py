"""Addresses of variables, and the windows of generic addresses."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

from tilewright.ptx import model, value_types
from tilewright.ptx.rules.declarations import alignment_of
from tilewright.ptxsim import codes, faults, storage as ptxsim_storage

WINDOW = 40
"""The number of bits of an offset in a window."""
WINDOWS = {"shared": 1 << WINDOW, "local": 2 << WINDOW, "param": 3 << WINDOW, "global": 4 << WINDOW}
"""The generic addresses at which the state spaces begin; a global address is a generic address."""
RANK = 24
"""The position of a block's rank plus one in a `shared::cluster` address."""
MAXIMUM_BYTES = 1 << 30
"""The maximum number of bytes of a module's variables in global and constant memory."""
CODE = 5 << WINDOW
"""The first address of functions."""


def size_of(variable: model.PtxVariable) -> int:
    """Return the size of a variable in bytes; 0 for an array with an open extent."""
    count = max(variable.vector, 1)
    for extent in variable.dims:
        count *= extent
    return count * max(value_types.TYPES[variable.type].bits // 8, 1)


def variables(statements: tuple[model.Statement, ...]) -> Iterator[model.PtxVariable]:
    """Yield every variable declared in `statements`, including nested scopes and functions, in order.
    Parameters of functions are left out.
    """
    pending = list(reversed(statements))
    while pending:
        statement = pending.pop()
        if isinstance(statement, model.PtxVariable):
            yield statement
        elif isinstance(statement, model.PtxScope):
            pending.extend(reversed(statement.statements))
        elif isinstance(statement, model.PtxFunction) and statement.body is not None:
            pending.append(statement.body)


def _allocated(memory: ptxsim_storage.Storage, one: model.PtxVariable) -> int:
    """Return the address of a variable of global or constant memory. Raises `Fault` if the memory is full."""
    size, align = size_of(one), max(alignment_of(one), 16)
    if memory.used + size + align > MAXIMUM_BYTES:
        raise faults.Fault(
            codes.BAD_LAUNCH,
            f"variables up to '{one.name}', of {size:,} bytes in multiples of {align:,}, take more than the {MAXIMUM_BYTES:,} bytes "
            "that the simulator allows",
            "pass large arrays as arguments",
        )
    return memory.allocate(size, align)


class VariableLayout:
    """The addresses of a module's variables: `addresses` maps the identity (`id`) of each variable to its
    address. Global and constant memory are allocated in `memory`, with their initial values; shared memory
    begins at 1024, and its dynamic part at `dynamic`. `functions` names the functions with a body. Raises
    `Fault` if the variables do not fit.
    """

    def __init__(self, module: model.Module, memory: ptxsim_storage.Storage) -> None:
        self.addresses: dict[int, int] = {}
        self.functions = [name for name, one in module.functions().items() if one.body is not None]
        self._by_name: dict[str, int] = {}
        extern: list[model.PtxVariable] = []
        shared: list[model.PtxVariable] = []
        for one in variables(module.statements):
            if one.space in ("global", "const"):
                self._enter(one, _allocated(memory, one))
            elif one.space == "shared":
                (extern if one.linkage == "extern" else shared).append(one)
        self._extern = extern
        self._place_shared(shared)
        for one in variables(module.statements):
            if one.initial is not None:
                memory.write(self.addresses[id(one)], self._data(one, one.initial))

    def with_shared(self, shared: list[model.PtxVariable]) -> VariableLayout:
        """Return a copy of the layout with only the static variables `shared` in shared memory, for a kernel
        that uses no others.
        """
        found = copy(self)
        found.addresses, found._by_name = dict(self.addresses), dict(self._by_name)
        found._place_shared(shared)
        return found

    def _place_shared(self, shared: list[model.PtxVariable]) -> None:
        self.shared_bytes = 1024
        for one in shared:
            self._enter(one, self._shared(one))
        self.dynamic = -(-self.shared_bytes // 1024) * 1024
        for one in self._extern:
            self._enter(one, self.dynamic)

    def _enter(self, one: model.PtxVariable, address: int) -> None:
        self.addresses[id(one)] = self._by_name[one.name] = address

    def _shared(self, one: model.PtxVariable) -> int:
        align = alignment_of(one)
        start = -(-self.shared_bytes // align) * align
        self.shared_bytes = start + size_of(one)
        return start

    def function_address(self, name: str) -> int:
        """Return the address of the function `name` of the module. Raises `ValueError` for a name of no
        function with a body.
        """
        return CODE + 16 * self.functions.index(name)

    def _data(self, one: model.PtxVariable, initial: model.Initial) -> bytes:
        width = value_types.TYPES[one.type].bits // 8
        return b"".join(self._word(value, width) for value in _flat(initial))

    def _word(self, value: model.IntegerConstant | model.Float | model.SymbolAddress, width: int) -> bytes:
        if isinstance(value, model.IntegerConstant):
            bits = value.value
        elif isinstance(value, model.Float):
            bits = _float_bits(value, width)
        else:
            bits = self._symbol(value)
        return (bits & ((1 << 8 * width) - 1)).to_bytes(width, "little")

    def _symbol(self, one: model.SymbolAddress) -> int:
        if one.name in self.functions:
            address = self.function_address(one.name)
        elif one.name in self._by_name:
            address = self._by_name[one.name] + one.offset
        else:
            raise faults.Fault(codes.BAD_LAUNCH, f"'{one.name}' has no address: it is declared only")
        if one.mask is None:
            return address
        shift = (one.mask & -one.mask).bit_length() - 1
        return (address & one.mask) >> shift


def _float_bits(value: model.Float, width: int) -> int:
    """Return the bits of a floating-point constant in a variable of `width` bytes, converted to 4 bytes or to
    8.
    """
    import struct

    if value.width == 8 * width:
        return value.bits
    (number,) = struct.unpack(
        "<d" if value.width == 64 else "<f", value.bits.to_bytes(value.width // 8, "little")
    )
    return int.from_bytes(struct.pack("<f" if width == 4 else "<d", number), "little")


def _flat(initial: model.Initial) -> Iterator[model.IntegerConstant | model.Float | model.SymbolAddress]:
    pending = [initial]
    while pending:
        value = pending.pop()
        if isinstance(value, tuple):
            pending.extend(reversed(value))
        else:
            yield value

"""The parameters of Triton's kernels: how each argument is flattened."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from tilewright.driver.launch_arguments import LaunchError
from tilewright.host import arrays as host_arrays, dlpack
from tilewright.host.addresses import (
    ELEMENTS,
    HOST_POINTER,
    ArrayElement,
    UnusableMemoryError,
    data_pointer,
    plain_address as array_address,
)
from tilewright.interp.memory.access_messages import NamedArray
from tilewright.ir.support.record import Record
from tilewright.triton.arrays import SUBJECT, HostArray, as_tensor, described, lies_on_host

Address = Callable[[Any], int]
"""A function that returns the address of an argument."""
_FLOATS = frozenset({"fp16", "bf16", "fp32", "f32", "fp64"})
_SIGNED = {"i8": "int", "i16": "int", "i32": "int", "i64": "int"}
_UNSIGNED = {"u8": "signed8", "u16": "signed16", "u32": "signed32", "u64": "signed64"}
_INTEGERS = {"i1": "bool", "u1": "bool"} | _SIGNED | _UNSIGNED
"""The key of `_NUMBERS` for each integer type of Triton's signatures."""
_BY_TILE_IR = {element.tile_ir: element for element in ELEMENTS if not element.numpy.startswith("u")}
_TILE_IR = {
    "i1": "i8",
    "u1": "i8",
    "u8": "i8",
    "u16": "i16",
    "u32": "i32",
    "u64": "i64",
    "fp16": "f16",
    "fp32": "f32",
    "fp64": "f64",
    "fp8e4nv": "f8E4M3FN",
    "fp8e5": "f8E5M2",
}
"""Element types of Triton's signatures in memory, where the name differs."""


class PointerParameter(Record, frozen=True):
    """A parameter that points to elements of a type; ``name`` is its name in the program."""

    name: str
    type: str

    def argument_expression(self, name: str, value: Any) -> str:
        """Return a Python expression, as text, for the address of the argument in the variable ``name``. If
        ``value``, the argument of the present launch, is a tensor, it is for tensors; otherwise it calls the
        function `address`. Evaluating the text may raise `LookAgainError`.
        """
        if not hasattr(value, "data_ptr") or hasattr(value, HOST_POINTER):
            return f"address({name})"
        on_host = f"{name}.is_cpu and " if _may_lie_elsewhere(value) else ""
        return f"({on_host}{name}.data_ptr() or address({name}))"

    def flat(self, value: Any, address: Address) -> Sequence[Any]:
        """Return the address of the argument, which the function `address` computes, as the only item."""
        return (address(value),)

    def arrays(self, value: Any) -> Sequence[NamedArray | None]:
        """Return one item: the memory of the tensor argument, or None for an address, whose extent is
        unknown.
        """
        return (_named_array(self.name, self.type, value),)


class Number(Record, frozen=True):
    """A parameter that is a number of a type."""

    name: str
    type: str

    def argument_expression(self, name: str, value: Any) -> str:
        """Return a Python expression, as text, for the number in the variable ``name``, such as ``int(a0)``;
        ``value`` is not used.
        """
        return f"{self._kind}({name})"

    def flat(self, value: Any, address: Address) -> Sequence[Any]:
        """Return the number as the only item; an unsigned integer as the signed integer with the same bits."""
        return (_NUMBERS[self._kind](value),)

    @property
    def _kind(self) -> str:
        return "float" if self.type in _FLOATS else _INTEGERS[self.type]

    def arrays(self, value: Any) -> Sequence[NamedArray | None]:
        """Return None as the only item: a number has no memory."""
        return (None,)


class DescriptorParameter(Record, frozen=True):
    """A parameter that is a tensor descriptor made on the host. ``type`` is the type in Triton's signature,
    such as ``tensordesc<fp32[2,4]>``.
    """

    name: str
    type: str

    def argument_expression(self, name: str, value: Any) -> str:
        """Return a starred Python expression, as text, for the parts of the descriptor in the variable
        ``name``, as an item of a tuple: ``*parameters[0].flat(a0, address)``. ``name`` is a letter and the
        index of the parameter; ``value`` is not used.
        """
        return f"*parameters[{name[1:]}].flat({name}, address)"

    def flat(self, value: Any, address: Address) -> Sequence[Any]:
        """Return the parts of the descriptor: address, extents, strides, and whether the padding is NaN; then
        its extents and strides again, which Triton passes separately.
        """
        base = address(value.base)
        extents = (*map(int, value.shape), *map(int, value.strides))
        return (base, *extents, getattr(value, "padding", "zero") == "nan", *extents)

    def arrays(self, value: Any) -> Sequence[NamedArray | None]:
        """Return one item for each item of `flat`: the memory of the described tensor, then None for each
        number.
        """
        rank = len(value.shape)
        element = self.type.partition("<")[2].partition("[")[0]
        return (_named_array(self.name, element, value.base), *(None,) * (4 * rank + 1))


class ConstantParameter(Record, frozen=True):
    """A parameter whose value is part of the code."""

    def argument_expression(self, name: str, value: Any) -> str:
        """Return an empty text, for no expressions: nothing is passed."""
        return ""

    def flat(self, value: Any, address: Address) -> Sequence[Any]:
        """Return no values: nothing is passed."""
        return ()

    def arrays(self, value: Any) -> Sequence[NamedArray | None]:
        """Return no memory: nothing is passed."""
        return ()


class TupleParameter(Record, frozen=True):
    """A parameter that is a tuple of parameters."""

    items: tuple[Parameter, ...]

    def argument_expression(self, name: str, value: Any) -> str:
        """Return a starred Python expression, as text, for the flat values of all items of the tuple in the
        variable ``name``: ``*parameters[0].flat(a0, address)``. ``name`` is a letter and the index of the
        parameter; ``value`` is not used.
        """
        return f"*parameters[{name[1:]}].flat({name}, address)"

    def flat(self, value: Any, address: Address) -> Sequence[Any]:
        """Return the flat values of all items of the tuple `value`, one after the other."""
        pairs = zip(self.items, value, strict=True)
        return [one for item, part in pairs for one in item.flat(part, address)]

    def arrays(self, value: Any) -> Sequence[NamedArray | None]:
        """Return the arrays behind the flat values of all items of the tuple `value`, in order."""
        return [one for item, part in zip(self.items, value, strict=True) for one in item.arrays(part)]


Parameter = PointerParameter | Number | DescriptorParameter | ConstantParameter | TupleParameter


def parameter(name: str, type: Any) -> Parameter:
    """Return the parameter for a type in Triton's signature: a tuple of types, ``constexpr``, a tensor
    descriptor, a pointer such as ``*fp32``, or a number. Pointers in memory count as i64.
    """
    if isinstance(type, tuple | list):
        items = cast("Sequence[Any]", type)
        return TupleParameter(tuple(parameter(f"{name}[{at}]", item) for at, item in enumerate(items)))
    if type == "constexpr":
        return ConstantParameter()
    if type.startswith("tensordesc"):
        return DescriptorParameter(name, type)
    if type.startswith("*"):
        pointee = type[1:].removeprefix("k")
        return PointerParameter(name, "i64" if pointee.startswith("*") else pointee)
    return Number(name, type)


class LookAgainError(Exception):
    """An argument is not plain memory on the host.

    `Parameter.arrays` then examines it, and raises an error if it cannot be used.
    """


def plain_address(value: Any) -> int:
    """Return the address of an argument: writable memory, a number, or 0 for None.

    Raises `LookAgainError` for an array that is read-only or has negative strides, for another object with
    memory, such as a buffer, and for a tensor that is not on the host.
    """
    if value is None:
        return 0
    if isinstance(value, np.ndarray):
        found = array_address(value)
        if found is None:
            raise LookAgainError
        return found
    if not hasattr(value, "data_ptr"):
        return _number_address(value)
    if not lies_on_host(value):
        raise LookAgainError
    return data_pointer(value)


def _may_lie_elsewhere(tensor: Any) -> bool:
    """Return whether a later launch may pass a tensor on another device: the argument is a tensor on the CPU,
    and PyTorch has an accelerator. Then each launch has to test where the tensor is.
    """
    torch: Any = sys.modules.get("torch")
    if torch is None or not getattr(tensor, "is_cpu", False):
        return False
    return getattr(torch, "accelerator", torch.cuda).is_available()


def _number_address(value: Any) -> int:
    if host_arrays.is_array_like(value):
        raise LookAgainError
    return int(value)


def any_address(value: Any) -> int:
    """Return the address of the memory of an array or tensor, without a test where the memory of a tensor is;
    a number is returned as an address, and 0 for None. Raises `UnusableMemoryError` for an array that is not
    on the host.
    """
    seen = as_tensor(value)
    return data_pointer(seen) if hasattr(seen, "data_ptr") else int(seen or 0)


def flat_arguments(
    parameters: Sequence[Parameter], arguments: Sequence[Any], address: Address = plain_address
) -> list[Any]:
    """Return the flat arguments of a launch: addresses and numbers.

    Raises `ValueError` if some are missing, and the exceptions of ``address``.
    """
    pairs = zip(parameters, arguments, strict=True)
    return [one for known, value in pairs for one in known.flat(value, address)]


def flattener(
    parameters: Sequence[Parameter], arguments: Sequence[Any]
) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """Return a generated function that computes `flat_arguments` for arguments of the same kinds. It raises
    `LookAgainError` for an argument that is not plain memory on the host.

    Each launch calls it; testing the kind of each parameter at each launch takes three times as long.
    """
    named = [f"a{at}" for at in range(len(parameters))]
    parts = [
        known.argument_expression(*pair) for known, *pair in zip(parameters, named, arguments, strict=True)
    ]
    names: dict[str, Any] = {
        **_NUMBERS,
        "address": plain_address,
        "parameters": tuple(parameters),
        "flat_arguments": flat_arguments,
    }
    exec(
        compile(_SOURCE.format(_tuple(named), _tuple(filter(None, parts))), "<flat arguments>", "exec"), names
    )
    return names["flat"]


_SOURCE = """
def flat(arguments):
    {} = arguments
    try:
        return {}
    except AttributeError:  # this launch passes an array instead of a tensor
        return flat_arguments(parameters, arguments)
"""


def _tuple(parts: Iterable[str]) -> str:
    return "(" + "".join(f"{part}, " for part in parts) + ")"


def _signed(bits: int) -> Callable[[Any], int]:
    """Return a function that reinterprets an unsigned integer of `bits` bits as a signed integer."""
    modulus, half = 1 << bits, 1 << (bits - 1)

    def number(value: Any) -> int:
        known = int(value)
        return known - modulus if half <= known < modulus else known

    return number


_NUMBERS: Mapping[str, Callable[[Any], Any]] = {
    "int": int,
    "float": float,
    "bool": bool,
    **{f"signed{bits}": _signed(bits) for bits in (8, 16, 32, 64)},
}


def _named_array(name: str, type: str, value: Any) -> NamedArray | None:
    """Return the memory of a tensor with its name; None for anything but a tensor, and for unknown element
    types. Raises `LaunchError` for memory that a kernel cannot use.
    """
    element, value = _element(type), as_tensor(value)
    if element is None or not hasattr(value, "data_ptr") or not hasattr(value, "stride"):
        return None
    is_read_only = isinstance(value, HostArray) and not value.array.flags.writeable
    try:
        address, shape, strides = described(value)
    except UnusableMemoryError as error:
        raise LaunchError(SUBJECT, error.reason, error.hint).of_parameter(name) from None
    array = dlpack.memory_array(value, address, shape, strides, element, read_only=is_read_only)
    return NamedArray(name, array)


def _element(type: str) -> ArrayElement | None:
    """Return the layout in memory of elements of a type; None if the type is unknown."""
    return _BY_TILE_IR.get(_TILE_IR.get(type, type))

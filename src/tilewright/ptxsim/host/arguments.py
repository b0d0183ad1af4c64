"""Arguments of a launch: the parameters of the kernel, and the arrays and regions that they point to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tilewright.ptx import model, value_types
from tilewright.ptx.rules.declarations import alignment_of
from tilewright.ptxsim import codes
from tilewright.ptxsim.asynchronous.tensormaps import SIZE, TensorMap
from tilewright.ptxsim.faults import Fault
from tilewright.ptxsim.host.regions import ALIGNMENT, HostPointer, HostRegion, Multicast, PlacedRegion
from tilewright.ptxsim.layout import size_of
from tilewright.ptxsim.storage import Storage

WORD = 8
"""The size of an address in bytes."""


class Arguments:
    """The arguments of a launch, copied into global memory. `formals` are the parameters of the kernel and
    `given` their values: numbers, arrays, tensor maps, pointers of the host and multicast objects. A
    parameter of any type may be given as bytes.

    `storage` holds the parameters, `places` maps the identity (`id`) of each to its offset in it, and
    `regions` each region of the host to its address in global memory. Raises `Fault` for arguments that do
    not fit the parameters.
    """

    def __init__(self, memory: Storage, formals: Sequence[model.PtxVariable], given: Sequence[Any]) -> None:
        if len(formals) != len(given):
            raise Fault(codes.BAD_ARGUMENT, f"the kernel takes {len(formals)} arguments, not {len(given)}")
        self.memory = memory
        self._arrays: list[tuple[Any, int]] = []
        self.regions: dict[HostRegion, int] = {}
        self.multicast: list[PlacedRegion] = []
        """The multicast objects among the arguments."""
        self.storage = Storage("param", 0, sum(size_of(one) + 256 for one in formals), poison=False)
        self.places: dict[int, int] = {}
        at = 0
        for formal, value in zip(formals, given, strict=True):
            align = alignment_of(formal)
            at = -(-at // align) * align
            data = self._argument(formal, value)
            self.storage.open(at, at + len(data))
            self.storage.write(at, data)
            self.places[id(formal)] = at
            at += len(data)
        self._copy_in()

    def _argument(self, formal: model.PtxVariable, value: Any) -> bytes:
        size, row = size_of(formal), value_types.TYPES[formal.type]
        if isinstance(value, TensorMap):
            return self._map(formal, value)
        if isinstance(value, HostPointer | Multicast) or (
            _is_array(value) and value.ndim and not formal.dims
        ):
            return self._pointer(formal, value).to_bytes(size, "little")
        if _is_bytes(value) or (formal.dims and _is_array(value)):
            data: bytes = value.tobytes() if _is_array(value) else bytes(value)
            if len(data) != size:
                raise Fault(codes.BAD_ARGUMENT, f"'{formal.name}' takes {size} bytes, not {len(data)}")
            return data
        number = value if _is_array(value) else getattr(value, "value", value)  # a ctypes scalar has one
        try:
            if row.kind is value_types.ValueKind.FLOAT or (
                row.kind is value_types.ValueKind.BITS and isinstance(number, float | np.floating)
            ):
                return np.asarray(number, f"f{size}").tobytes()
            return (int(number) & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        except (TypeError, ValueError, OverflowError) as error:
            raise Fault(codes.BAD_ARGUMENT, f"'{formal.name}' of type .{formal.type}: {error}") from error

    def _map(self, formal: model.PtxVariable, value: TensorMap) -> bytes:
        if size_of(formal) != SIZE:
            raise Fault(
                codes.BAD_ARGUMENT, f"'{formal.name}' takes {size_of(formal)} bytes; a tensor map has {SIZE}"
            )
        return value.encoded(self._global_address(formal, value.array))

    def _pointer(self, formal: model.PtxVariable, value: Any) -> int:
        if size_of(formal) != WORD:
            raise Fault(codes.BAD_ARGUMENT, f"'{formal.name}' of type .{formal.type} does not take an array")
        if isinstance(value, Multicast):
            return self._multicast(formal, value)
        return self._address(value) if isinstance(value, HostPointer) else self._global_address(formal, value)

    def _multicast(self, formal: model.PtxVariable, value: Multicast) -> int:
        """Return the address of a multicast object; no memory is allocated at it. Raises `Fault` for copies
        of different sizes.
        """
        sizes = {array.nbytes for array in value.copies}
        if len(sizes) != 1:
            raise Fault(
                codes.BAD_ARGUMENT,
                f"the copies for '{formal.name}' must have equal sizes, and there must be at least one",
            )
        (size,) = sizes
        copies = tuple(self._global_address(formal, array) for array in value.copies)
        start = self.memory.reserve(max(size, 1), ALIGNMENT)
        self.multicast.append(PlacedRegion(start, start + size, copies))
        return start

    def _global_address(self, formal: model.PtxVariable, array: Any) -> int:
        """Return the address of `array` in global memory, which is allocated at the first call; arrays over
        the same memory of the host have one address. Raises `Fault` if `array` is not contiguous, or overlaps
        another argument in part.
        """
        if not array.flags.c_contiguous:
            raise Fault(
                codes.BAD_ARGUMENT, f"the array for '{formal.name}' is not contiguous", "pass a copy of it"
            )
        for other, address in self._arrays:
            if np.may_share_memory(other, array):
                if other.ctypes.data == array.ctypes.data and other.nbytes == array.nbytes:
                    return address
                raise Fault(
                    codes.BAD_ARGUMENT, f"the array for '{formal.name}' overlaps another argument in part"
                )
        address = self.memory.allocate(max(array.nbytes, 1), ALIGNMENT)
        self._arrays.append((array, address))
        return address

    def _address(self, pointer: HostPointer) -> int:
        """Return the address in global memory of the byte that a pointer of the host refers to. The region
        and all regions that it points to are placed in global memory.
        """
        region = pointer.region
        if region not in self.regions:
            self.regions[region] = self.memory.allocate(max(region.data.nbytes, 1), ALIGNMENT, region.skew)
            for other in region.pointers.values():
                self._address(other)
        return self.regions[region] + pointer.offset

    # --- copies

    def _copy_in(self) -> None:
        for array, address in self._arrays:
            self.memory.write(address, array.tobytes())
        for region, address in self.regions.items():
            self.memory.write(address, self._contents(region).tobytes())

    def _contents(self, region: HostRegion) -> Any:
        """Return the bytes of a region of the host, in which pointers are replaced by addresses of global
        memory.
        """
        found = np.array(region.data)
        for place, pointer in region.pointers.items():
            found[place : place + WORD] = _word(self._address(pointer))
        return found

    def copy_back(self) -> None:
        """Copy arrays and regions back to the host, unless they are read-only; of a region only the changed
        bytes.
        """
        for array, address in self._arrays:
            if array.flags.writeable:
                found = self._bytes(address, array.nbytes)
                array[...] = found.view(array.dtype).reshape(array.shape)
        for region, address in self.regions.items():
            if region.is_writeable:
                self._copy_region_back(region, self._bytes(address, region.data.nbytes))

    def _copy_region_back(self, region: HostRegion, found: Any) -> None:
        """Copy the bytes of a region that the launch changed back to the host; `found` are the bytes of the
        region on the device.
        """
        changed = found != self._contents(region)
        region.data[changed] = found[changed]

    def _bytes(self, address: int, count: int) -> Any:
        start = address - self.memory.base
        return self.memory.bytes[start : start + count]


def _word(address: int) -> Any:
    return np.frombuffer(address.to_bytes(WORD, "little"), np.uint8)


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray)


def _is_bytes(value: Any) -> bool:
    return isinstance(value, bytes | bytearray)

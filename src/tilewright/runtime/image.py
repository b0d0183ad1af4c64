"""Compiled kernels as a value: object code, and what is needed to launch it; can be written to bytes and read back."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tilewright.ir.attribute import Location
from tilewright.ir.location import UNKNOWN, FileLineColLocation
from tilewright.targets.cpu.context import Site

_LENGTH = struct.Struct("<Q")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a kernel: the name of an element type, and whether it is a pointer to such elements."""

    element: str
    is_pointer: bool = False

    def __str__(self) -> str:
        return f"ptr<{self.element}>" if self.is_pointer else self.element


@dataclass(frozen=True, slots=True)
class KernelImage:
    """A kernel: its name, the name of its function, parameters, bytes of scratch memory for each thread, sites."""

    name: str
    symbol: str
    parameters: tuple[Parameter, ...]
    scratch_bytes: int
    sites: tuple[Site, ...] = ()


@dataclass(frozen=True, slots=True)
class Image:
    """An object file and its kernels."""

    object_code: bytes
    kernels: tuple[KernelImage, ...]

    def to_bytes(self) -> bytes:
        """The image as bytes; equal images give equal bytes."""
        head = json.dumps([_kernel_row(kernel) for kernel in self.kernels]).encode()
        return _LENGTH.pack(len(head)) + head + self.object_code

    @classmethod
    def from_bytes(cls, data: bytes) -> Image:
        """Read `to_bytes` back.  ValueError for anything else."""
        try:
            (length,) = _LENGTH.unpack_from(data)
            rows = json.loads(data[_LENGTH.size : _LENGTH.size + length])
            kernels = tuple(_kernel(*row) for row in rows)
        except (struct.error, TypeError, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise ValueError(f"not an image: {error}") from error
        return cls(data[_LENGTH.size + length :], kernels)


def _kernel_row(kernel: KernelImage) -> list[Any]:
    parameters = [[parameter.element, parameter.is_pointer] for parameter in kernel.parameters]
    sites = [_site_row(site) for site in kernel.sites]
    return [kernel.name, kernel.symbol, parameters, kernel.scratch_bytes, sites]


def _kernel(
    name: str, symbol: str, parameters: Iterable[Any], scratch_bytes: int, sites: Iterable[Any]
) -> KernelImage:
    listed = tuple(Parameter(*row) for row in parameters)
    return KernelImage(name, symbol, listed, scratch_bytes, tuple(_site(*row) for row in sites))


def _site_row(site: Site) -> list[Any]:
    return [site.kind, site.text, site.location.source, site.types, site.shapes]


def _site(kind: str, text: str, place: Any, types: Iterable[str], shapes: Iterable[Iterable[int]]) -> Site:
    location: Location = FileLineColLocation(*place) if place else UNKNOWN
    return Site(kind, text, location, tuple(types), tuple(tuple(shape) for shape in shapes))

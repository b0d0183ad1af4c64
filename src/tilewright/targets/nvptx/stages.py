"""The stages of GPUs after TileAS, and the other hooks of a GPU target: an object for each chip, by its name.

Imports are deferred so that commands that list stages and options stay fast.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from tilewright.dialects.common.chips import CHIPS, Chip, known_chips
from tilewright.ir.diagnostic import failure
from tilewright.ir.operation import Operation
from tilewright.ir.support.strings import pattern
from tilewright.targets.nvptx import codes
from tilewright.targets.nvptx.simulation_limit import number_of_instructions
from tilewright.targets.stage import Compilation, Stage, TargetHooks, TargetOption

if TYPE_CHECKING:
    from tilewright.runtime.description import KernelImage

COPIES = "cute"
"""The marker of modules in the stage of per-thread code with copies: some kernels have no copies, but still
need the later passes.
"""
SIMULATED = "simulated_"
"""The prefix of a chip's name for its simulation."""
LIMIT = TargetOption(
    "max_instructions", "", "Maximum number of instructions of a simulated launch; empty: 200 million"
)
"""The option of `sim:` targets."""
OF_SIMULATOR = frozenset({"memcheck", "racecheck"})
"""The checks that the simulator does for all accesses."""
LAYOUTS = ",".join(
    (
        "nv-tileas-lower-packed-accesses",
        "nv-tileas-lower-view-accesses",
        "canonicalize",
        "cse",
        "nv-tileas-widen-factors",
        "nv-tileas-plan-kernel",
        "nv-tileas-slice-tiles",
        "nv-tileas-assign-layouts",
        "nv-tileas-remove-conversions",
        "nv-tileas-hoist-conversions",
        "nv-tileas-materialise-conversions",
    )
)
THREADS = "nv-tileas-materialise-schedule,convert-nv-tile-func-to-llvm,convert-nv-tileas-to-nvvm"
INSTRUCTIONS = ",".join(
    (
        "convert-cute-to-nvgpu",
        "convert-gpu-to-nvvm",
        "reconcile-unrealized-casts",
        "canonicalize",
        "combine-addresses",
        "cse",
        "nvvm-carry-addresses",
        "nvvm-chain-addresses",
        "cse",
        "nvvm-sink-fragments",
        "nvvm-spread-copies",
        "nvvm-allocate-shared-memory",
        "nvvm-check-shared-memory",
    )
)
CODE = f"{THREADS},{INSTRUCTIONS}"
"""The passes of the stages whose output is a module."""
_VERSION = pattern(r"^\s*\.version\s+\d+\.\d", re.MULTILINE)


def with_layouts(compilation: Compilation, module: Operation) -> Operation:
    """Return a copy of a TileAS module whose tiles have layouts: they are distributed over the threads of a
    block. Raises `DiagnosticError` if a pass fails.
    """
    return compilation.run_passes(module.clone(), LAYOUTS, "assign layouts")


def with_copies(compilation: Compilation, module: Operation) -> Operation:
    """Return a module with layouts converted to the code of a thread, before copies, barriers and matrix
    instructions become instructions. `module` is not changed. Raises `DiagnosticError` if a pass fails.
    """
    from tilewright.dialects.nv_tileaa.discardable import STAGE
    from tilewright.ir.builtin_attributes import StringAttr

    made = compilation.run_passes(module.clone(), THREADS, "convert to cute")
    made.attributes[STAGE] = StringAttr(COPIES)
    return made


def to_llvm(compilation: Compilation, module: Operation) -> Operation:
    """Return a copy of a module of the stage `cute`, the code of a thread with copies, converted to the
    dialects `llvm` and `nvvm`. Raises `DiagnosticError` if a pass fails.
    """
    from tilewright.dialects.nv_tileaa.discardable import STAGE

    unmarked = module.clone()
    del unmarked.attributes[STAGE]
    return compilation.run_passes(unmarked, INSTRUCTIONS, "convert to llvm")


def is_ptx(text: str) -> bool:
    """Return whether a text is PTX: a line begins with the directive ``.version`` and a number."""
    return bool(_VERSION.search(text))


def instructions_of(_: Compilation, cubin: bytes) -> str:
    """Return the instructions of `cubin` with their encodings, as the installed disassembler prints them.
    Raises `DiagnosticError` if there is no disassembler, or it ends without a listing.
    """
    from tilewright.targets.nvptx.disassemble import listing

    return listing(cubin)


def kernels_of(compilation: Any) -> tuple[KernelImage, ...]:
    """Return the descriptions of the kernels of a compilation by which the kernels are launched, with the
    options of the compilation for checks and the limit of instructions.
    """
    from tilewright.runtime.context import CheckRequirements
    from tilewright.targets.nvptx.kernels import kernel_images

    tiles = "layouts" if compilation.input == "layouts" else "tileas"
    found = kernel_images(compilation.module("llvm"), compilation.module(tiles))
    checks = CheckRequirements() if compilation.options.checks else None
    limit = limit_of(compilation.target_options)
    return tuple(replace(one, checks=checks, max_instructions=limit) for one in found)


def limit_of(options: Mapping[str, str | bool]) -> int:
    """Return the instruction limit of the simulator, or 0 without an option. Raises `DiagnosticError` for an
    invalid value.
    """
    return number_of_instructions(str(options.get(LIMIT.name, "")), f"the option '{LIMIT.name}'")


@cache
def hooks_of(chip: Chip, *, is_simulated: bool = False) -> TargetHooks:
    """Return the compiler hooks of `chip`, or with `is_simulated` of its simulation, which does all checks,
    has the option for a limit of instructions, and reports lines of the program.
    """

    def as_ptx(compilation: Compilation, module: Operation) -> str:
        from tilewright.targets.nvptx.nvvm_to_ptx import translate

        return translate(module, chip, line_info=compilation.options.debug_info or is_simulated)

    def machine_code(compilation: Compilation, text: str) -> bytes:
        from tilewright.targets.nvptx.assemble.assembling import assemble

        options = compilation.options
        made = assemble(text, chip.name, level=options.opt_level, line_info=options.debug_info)
        compilation.diagnostics.extend(made.warnings)
        return made.cubin

    return TargetHooks(
        stages=(
            Stage(
                "layouts",
                "tiles distributed over threads, as text",
                ".layouts.mlir",
                "tileas",
                with_layouts,
            ),
            Stage(
                COPIES,
                "the code of a thread with copies of `cute` and barriers of `cutlass`, as text",
                ".cute.mlir",
                "layouts",
                with_copies,
            ),
            Stage(
                "llvm",
                "the code of a thread in `llvm` and `nvvm`, as text",
                ".nvvm.mlir",
                COPIES,
                to_llvm,
            ),
            Stage("ptx", "PTX", ".ptx", "llvm", write=as_ptx, recognises=is_ptx),
            Stage(
                "cubin",
                "machine code, by an installed assembler",
                ".cubin",
                "ptx",
                translate=machine_code,
            ),
            Stage(
                "sass",
                "the instructions of the machine code, by an installed disassembler",
                ".sass",
                "cubin",
                translate=instructions_of,
            ),
        ),
        code="ptx",
        kernels=kernels_of,
        capability=chip.name,
        options=(LIMIT,) if is_simulated else (),
        identity=lambda options: (chip.name, limit_of(options)) if is_simulated else chip.name,
        checks_of_runner=OF_SIMULATOR if is_simulated else frozenset(),
    )


def __getattr__(name: str) -> TargetHooks:
    """Return the hooks of the chip `name`, such as ``sm_80``, or of its simulation, such as
    ``simulated_sm_80``. Raises `DiagnosticError` for a chip that does not exist, and `AttributeError` for a
    name that begins with two underscores.
    """
    if name.startswith("__"):
        raise AttributeError(name)
    chip = name.removeprefix(SIMULATED)
    if chip not in CHIPS:
        raise failure(codes.UNKNOWN_GPU, f"there is no GPU '{chip}'", hint=f"known chips: {known_chips()}")
    return hooks_of(CHIPS[chip], is_simulated=chip != name)

"""The driver's properties for the cuTile frontend, as on the GPU that the program sees."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

from tilewright import cutile
from tilewright.cutile import compiler as cutile_compiler, facts as cutile_facts
from tilewright.cutile.frontend import frontend
from tilewright.cutile.signature import kernel_signature
from tilewright.gpu_programs.launches import Launches
from tilewright.gpu_programs.patches import Patches, always
from tilewright.gpu_programs.settings import ProgramSettings
from tilewright.ir.support.record import Record

_REPEATS = ("_WARM_UP_REPEATS", "_BATCH_REPEATS", "_MIN_REPEATS")


def install(settings: ProgramSettings, launches: Launches, patches: Patches) -> None:
    """Patch ``cuda.tile`` so that it launches on the target of `settings`, by `launches`, and returns the
    properties of the GPU from its queries. Autotuning tries each configuration once. `patches` undoes it.
    """
    capability = settings.chip.capability
    front = frontend()
    for name, module in list(sys.modules.items()):
        if name.startswith("cuda.tile."):
            patches.set_known(module, {"get_compute_capability": always(capability)})
    patches.set(
        front.compilation.KernelSignature, "from_kernel_args", staticmethod(_signature_with(launches))
    )
    answer_for_compiler(front.compiler, patches)
    cutile.install(settings.target, check=settings.checks, launch=launches.launch)
    patches.on_undo(cutile.uninstall)
    tuning = sys.modules.get("cuda.tile.tune._tune")
    if tuning is not None:  # times here say nothing about a GPU: each configuration is tried once
        patches.set_known(tuning, dict.fromkeys(_REPEATS, 1))


def _signature_with(launches: Launches) -> Any:
    """Return a replacement for ``KernelSignature.from_kernel_args`` that takes the arguments in host memory,
    as `launches` returns them. For a calling convention whose code ends in ``1``, arrays have no constant
    lengths.
    """

    def signature(
        kernel: Any, kernel_args: Any, calling_convention: Any = None, *, symbol: str | None = None
    ) -> Any:
        parameters, binding = cutile_compiler.bind_arguments(kernel, launches.host_arguments(kernel_args))
        facts = binding.facts
        if calling_convention is not None and calling_convention.code.endswith("1"):
            facts = tuple(_without_constant_lengths(item) for item in facts)
        found = kernel_signature(frontend(), facts, parameters.function_name)
        return found if symbol is None else found.with_symbol(symbol)

    return signature


def _without_constant_lengths(facts: Any) -> Any:
    """Return facts of an array for the first calling convention, which has no constant lengths; other facts
    unchanged.
    """
    if not isinstance(facts, cutile_facts.ArrayFacts):
        return facts
    return facts.replace(length_constants=(None,) * facts.rank)


class NoCompiler(Record, frozen=True):
    """Replaces the vendor's compiler where it is not installed. `path` is the text "not installed", and `run`
    raises `FileNotFoundError` with `reason`.
    """

    reason: str
    path: str = "not installed"

    def run(self, *arguments: Any, **named: Any) -> None:
        """Raise `FileNotFoundError` with the reason."""
        raise FileNotFoundError(self.reason)


def answer_for_compiler(compiler: Any, patches: Patches) -> None:
    """Let queries of the vendor's compiler succeed where it is not installed: the compiler is a `NoCompiler`,
    and the newest version of bytecode is the newest that the frontend supports.

    The search runs at the first query, because it takes as long as reading the metadata of installed
    packages.
    """
    if not hasattr(compiler, "_find_compiler_bin"):
        return
    find, newest_of_compiler = compiler._find_compiler_bin, compiler._get_max_supported_bytecode_version

    @cache
    def found() -> Any:
        try:
            return find()
        except FileNotFoundError as error:
            return NoCompiler(str(error))

    def newest(*arguments: Any, **named: Any) -> Any:
        if isinstance(found(), NoCompiler):
            return compiler._SUPPORTED_VERSIONS[-1]
        return newest_of_compiler(*arguments, **named)

    answers = {"_find_compiler_bin": found, "_get_max_supported_bytecode_version": newest}
    patches.set_known(compiler, answers)

"""Triton's compiler interface: options, and the stages from Triton's first IR to a kernel.

Triton imports this module wherever it is imported, so it loads nothing of tilewright but what it names at its head.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tilewright.triton import TARGET

if TYPE_CHECKING:
    from tilewright.triton.options import Options
    from tilewright.triton.stages import KernelStages

_TRITON: Any = import_module("triton.backends.compiler")


class CPUBackend(_TRITON.BaseBackend):
    """Compiles kernels for the processor of this machine."""

    binary_ext = "tilewright"
    stands_for = frozenset[str]()
    """Other targets than the CPU that the process runs on it: those of a GPU that a program is told about."""

    @staticmethod
    def supports_target(target: Any) -> bool:
        """Whether a target is the CPU, or one that it stands for."""
        return target.backend == TARGET or target.backend in CPUBackend.stands_for

    def hash(self) -> str:
        """Which compiler this is."""
        return _stages().identity()

    def parse_options(self, options: dict[str, Any]) -> Options:
        """The options that are known; Triton itself refuses others.

        ``check`` is a text such as ``"memcheck,racecheck"`` or ``"all"``; without it the settings of the process hold.
        Raises `DiagnosticError` for an unknown check.
        """
        given = {**options, "check": _stages().checks(options.get("check"))}
        return _options().of(given, self.target)

    def pack_metadata(self, metadata: Any) -> Any:
        """What a launch gets."""
        return metadata

    def get_codegen_implementation(self, options: Options) -> dict[str, Any]:
        """What the front end asks: the least extents of ``dot``, and conversions that the CPU does not have."""
        return {"min_dot_size": _least_extents, "convert_custom_types": _no_conversion}

    def get_module_map(self) -> dict[str, Any]:
        """The functions behind ``triton.language.extra.libdevice``: those of NVIDIA's library, by their names."""
        functions = import_module("triton.language.extra.cuda.libdevice")
        return {"triton.language.extra.libdevice": functions}

    def load_dialects(self, context: Any) -> None:
        """Triton has loaded those that a kernel consists of."""

    def add_stages(self, stages: dict[str, Any], options: Options, language: Any = None) -> None:
        """The stages of a kernel, in order.  Raises `DiagnosticError` for a kernel in Gluon, which is for GPUs."""
        of_kernel: KernelStages = _stages().Stages(options, language)
        stages["ttir"] = of_kernel.ttir
        stages["tileir"] = of_kernel.tile_ir
        for name, stage in of_kernel.texts.items():
            stages[name] = partial(of_kernel.text, stage)
        stages[self.binary_ext] = of_kernel.binary


def _least_extents(lhs: Any, rhs: Any) -> tuple[int, int, int]:
    """``dot`` takes operands of any extents."""
    return 1, 1, 1


def _no_conversion(*arguments: Any, **named: Any) -> Any:
    """Conversions of types that only a GPU has, which the front end refuses before it comes here."""
    raise TypeError("the CPU has no such floating-point type")


def _options() -> Any:
    return import_module("tilewright.triton.options").Options


def _stages() -> Any:
    return import_module("tilewright.triton.stages")

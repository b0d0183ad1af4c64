"""Triton's compiler interface: options, and the stages from Triton's first IR to a kernel.

Triton always imports this module, so at its start it loads only the modules of tilewright that its head
names.
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
    """Triton's back end for the processor of this machine."""

    binary_ext = "tilewright"
    stands_for = frozenset[str]()
    """Targets of other back ends that this back end replaces in this process: the target of a simulated GPU.
    """

    @staticmethod
    def supports_target(target: Any) -> bool:
        """Return whether a target is the CPU, or a target that this back end replaces."""
        return target.backend == TARGET or target.backend in CPUBackend.stands_for

    def hash(self) -> str:
        """Return the identity of the compiler, part of the key of Triton's cache."""
        return _stages().identity()

    def parse_options(self, options: dict[str, Any]) -> Options:
        """Return the known options; Triton itself refuses others.

        ``check`` is a text such as ``"memcheck,racecheck"`` or ``"all"``; without it the settings of the
        process hold. Raises `DiagnosticError` for an unknown check.
        """
        _stages().accept_breakpoints()
        given = {**options, "check": _stages().checks(options.get("check"))}
        return _options().of(given, self.target)

    def pack_metadata(self, metadata: Any) -> Any:
        """Return the metadata that a launch receives, unchanged."""
        return metadata

    def get_codegen_implementation(self, options: Options) -> dict[str, Any]:
        """Return functions for Triton's front end: the minimum extents of ``dot``, and conversions of types,
        which the CPU lacks.
        """
        return {"min_dot_size": _least_extents, "convert_custom_types": _no_conversion}

    def get_module_map(self) -> dict[str, Any]:
        """Return the functions behind ``triton.language.extra.libdevice``: the functions of NVIDIA's
        library, by name.
        """
        functions = import_module("triton.language.extra.cuda.libdevice")
        return {"triton.language.extra.libdevice": functions}

    def load_dialects(self, context: Any) -> None:
        """Do nothing: Triton has loaded the dialects of kernels already."""

    def add_stages(self, stages: dict[str, Any], options: Options, language: Any = None) -> None:
        """Add the stages of a kernel to `stages`, in order. ``language`` is the language of the kernel; None:
        Triton.

        Raises `DiagnosticError` for a kernel in Gluon, which is for GPUs.
        """
        of_kernel: KernelStages = _stages().KernelStages(options, language)
        stages["ttir"] = of_kernel.ttir
        stages["tileir"] = of_kernel.tile_ir
        for name, stage in of_kernel.texts.items():
            stages[name] = partial(of_kernel.text, stage)
        stages[self.binary_ext] = of_kernel.binary


def _least_extents(lhs: Any, rhs: Any) -> tuple[int, int, int]:
    """Return the minimum extents of ``dot``: the CPU takes operands of any extents."""
    return 1, 1, 1


def _no_conversion(*arguments: Any, **named: Any) -> Any:
    """Raise `TypeError` for a conversion of a type that only a GPU has.

    Triton's front end refuses such types earlier.
    """
    raise TypeError("the CPU has no such floating-point type")


def _options() -> Any:
    return import_module("tilewright.triton.options").Options


def _stages() -> Any:
    return import_module("tilewright.triton.stages")

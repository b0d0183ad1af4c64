"""The options of a kernel: Triton's own, the options of GPUs, and the checks of the code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Self

from tilewright.triton import TARGET

_GPU_ONLY = "is for a GPU: a program runs on one thread of the CPU"
IGNORED: dict[str, str] = {
    "num_warps": _GPU_ONLY,
    "num_ctas": _GPU_ONLY,
    "num_stages": "is for the shared memory of a GPU, which loads ahead into it",
    "maxnreg": _GPU_ONLY,
    "waves_per_eu": _GPU_ONLY,
    "matrix_instr_nonkdim": _GPU_ONLY,
    "kpack": _GPU_ONLY,
    "launch_cooperative_grid": "is for a GPU: programs that wait for each other run at the same time anyway",
    "launch_pdl": "is for a GPU: a launch has ended when it returns",
    "min_shared_mem": _GPU_ONLY,
    "ptx_version": _GPU_ONLY,
    "ptx_options": _GPU_ONLY,
}
"""Options that are accepted without effect, with the reason for each."""

_OF_TARGET = frozenset({"warp_size", "arch"})


@dataclass(frozen=True)
class Options:
    """The options of a kernel: Triton's own, the options of GPUs (`IGNORED`), and the checks of the code."""

    num_warps: int = 4
    num_ctas: int = 1
    num_stages: int = 3
    warp_size: int = 1
    maxnreg: int | None = None
    waves_per_eu: int = 0
    matrix_instr_nonkdim: int = 0
    kpack: int = 1
    ptx_version: int | None = None
    ptx_options: str | None = None
    min_shared_mem: int | None = None
    launch_cooperative_grid: bool = False
    launch_pdl: bool = False
    ir_override: str | None = None
    enable_fp_fusion: bool = True
    supported_fp8_dtypes: tuple[str, ...] = ("fp8e4nv", "fp8e5")
    deprecated_fp8_dot_operand_dtypes: tuple[str, ...] = ()
    default_dot_input_precision: str = "ieee"
    allowed_dot_input_precisions: tuple[str, ...] = ("ieee", "tf32", "tf32x3", "bf16x3", "bf16x6")
    max_num_imprecise_acc_default: int = 0
    extern_libs: tuple[tuple[str, str], ...] = ()
    debug: bool = False
    sanitize_overflow: bool = True
    arch: str = ""
    backend_name: str = TARGET
    instrumentation_mode: str = ""
    fpsan_homomorphic_casts: bool = False
    check: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        assert self.num_warps > 0, "num_warps must be positive"
        assert self.num_warps & (self.num_warps - 1) == 0, "num_warps must be a power of 2"

    def hash(self) -> str:
        """Return a hash of all options, part of the key of Triton's cache."""
        return sha256(repr(self).encode()).hexdigest()

    @classmethod
    def of(cls, given: Mapping[str, Any], target: Any) -> Self:
        """Return the options of a launch on `target` from the keywords `given`. Keywords with the value None,
        and unknown names, which Triton itself refuses, are left out.
        """
        values = {
            name: value
            for name, value in given.items()
            if name in cls.__dataclass_fields__ and name not in _OF_TARGET and value is not None
        }
        libraries = tuple(dict(values.pop("extern_libs", ())).items())
        return cls(**values, warp_size=target.warp_size, arch=str(target.arch), extern_libs=libraries)

    @property
    def ignored(self) -> dict[str, str]:
        """The given options that have no effect, with the reason for each."""
        fields = self.__dataclass_fields__
        return {name: why for name, why in IGNORED.items() if getattr(self, name) != fields[name].default}

"""How the launches of a program for GPUs are made: target, checks, and the GPU that it is told about."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from tilewright.driver.checks import check_names
from tilewright.driver.options import TARGET
from tilewright.driver.target import target as find_target
from tilewright.gpu_programs import chips
from tilewright.runtime.findings.ignores import codes_to_ignore

TARGET_VARIABLE = "TILEWRIGHT"
CHECK_VARIABLE = "TILEWRIGHT_CHECK"
GPU_VARIABLE = "TILEWRIGHT_GPU"
IGNORE_VARIABLE = "TILEWRIGHT_IGNORE"


@dataclass(frozen=True, slots=True)
class ProgramSettings:
    """Where kernels run, with which checks, the architecture of the GPU that the program is told about, and ignored codes.

    Raises `DiagnosticError` for a name that there is not.
    """

    target: str = TARGET.default
    checks: tuple[str, ...] = ()
    gpu: str = chips.DEFAULT
    ignored: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        find_target(self.target)
        chips.chip(self.gpu)

    @property
    def chip(self) -> chips.GpuProduct:
        """The GPU that the program is told about."""
        return chips.chip(self.gpu)

    @classmethod
    def of(cls, target: str = "", check: str = "", gpu: str = "", ignore: str = "") -> ProgramSettings:
        """Settings from texts, where an empty one stands for the default; a program in the simulator is told of that GPU."""
        name = target or TARGET.default
        told_of = gpu or chips.nearest(find_target(name).capability)
        return cls(name, check_names(check), told_of, codes_to_ignore(ignore))

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> ProgramSettings:
        """What the environment variables say."""
        given = os.environ if environment is None else environment
        names = (TARGET_VARIABLE, CHECK_VARIABLE, GPU_VARIABLE, IGNORE_VARIABLE)
        return cls.of(*(given.get(name, "") for name in names))

    def environment(self) -> dict[str, str]:
        """The environment variables that say the same to the processes which a program starts."""
        return {
            TARGET_VARIABLE: self.target,
            CHECK_VARIABLE: ",".join(self.checks),
            GPU_VARIABLE: self.gpu,
            IGNORE_VARIABLE: ",".join(self.ignored),
        }

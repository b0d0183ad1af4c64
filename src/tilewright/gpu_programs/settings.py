"""Settings of the launches of a program for GPUs: target, checks, and the GPU that the program sees."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from tilewright.driver import options as driver_options, target as driver_target
from tilewright.gpu_programs import chips
from tilewright.runtime.findings.ignores import codes_to_ignore

TARGET_VARIABLE = "TILEWRIGHT"
CHECK_VARIABLE = "TILEWRIGHT_CHECK"
GPU_VARIABLE = "TILEWRIGHT_GPU"
IGNORE_VARIABLE = "TILEWRIGHT_IGNORE"


@dataclass(frozen=True, slots=True)
class ProgramSettings:
    """The settings of a program: its target, its checks, the architecture of the GPU that it sees, and
    ignored codes. Raises `DiagnosticError` for an unknown target or GPU; the names of checks and codes are
    not tested.
    """

    target: str = driver_options.TARGET.default
    checks: tuple[str, ...] = ()
    gpu: str = chips.DEFAULT
    ignored: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        driver_target.target(self.target)
        chips.chip(self.gpu)

    @property
    def chip(self) -> chips.GpuProduct:
        """The GPU that the program sees."""
        return chips.chip(self.gpu)

    @classmethod
    def of(cls, target: str = "", check: str = "", gpu: str = "", ignore: str = "") -> ProgramSettings:
        """Return settings from texts; an empty text means the default. `check` and `ignore` are
        comma-separated names of checks and of diagnostic codes. Without `gpu`, the program sees the GPU that
        is nearest to the architecture of the target: in the simulator, the simulated GPU. Raises
        `DiagnosticError` for an unknown name.
        """
        name = target or driver_options.TARGET.default
        told_of = gpu or chips.nearest(driver_target.target(name).capability)
        return cls(name, driver_options.check_names(check), told_of, codes_to_ignore(ignore))

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> ProgramSettings:
        """Return the settings of the variables ``TILEWRIGHT`` (the target), ``TILEWRIGHT_CHECK``,
        ``TILEWRIGHT_GPU`` and ``TILEWRIGHT_IGNORE`` in `environment`, by default of this process; a missing
        or empty variable means the default. Raises `DiagnosticError` for an unknown name.
        """
        given = os.environ if environment is None else environment
        names = (TARGET_VARIABLE, CHECK_VARIABLE, GPU_VARIABLE, IGNORE_VARIABLE)
        return cls.of(*(given.get(name, "") for name in names))

    def environment(self) -> dict[str, str]:
        """Return the environment variables that pass these settings to child processes."""
        return {
            TARGET_VARIABLE: self.target,
            CHECK_VARIABLE: ",".join(self.checks),
            GPU_VARIABLE: self.gpu,
            IGNORE_VARIABLE: ",".join(self.ignored),
        }

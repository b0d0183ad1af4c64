"""The option ``compute-capability``: what code is made for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tilewright.ir.diagnostic import failure
from tilewright.lowering import codes

_CHIP = re.compile(r"(?:sm_)?(\d{2,3})([af]?)")
HOST_NAME = "host"


@dataclass(frozen=True, slots=True)
class Capability:
    """``number`` is ``major * 10 + minor`` of a GPU, 0 for the processor that runs the program."""

    number: int
    suffix: str = ""

    @property
    def is_host(self) -> bool:
        """Whether code is made for the processor and not for a GPU."""
        return self.number == 0

    @property
    def chip(self) -> str:
        """The name under which hints for the chip stand; that of the host is no chip's."""
        return HOST_NAME if self.is_host else f"sm_{self.number}{self.suffix}"


HOST = Capability(0)


def parse_capability(text: str) -> Capability:
    """``host``, ``sm_100``, ``sm_90a`` or ``100``.  Raises `DiagnosticError` for anything else."""
    if text == HOST_NAME:
        return HOST
    match = _CHIP.fullmatch(text)
    if match is None or int(match[1]) < 10:
        raise failure(
            codes.BAD_COMPUTE_CAPABILITY,
            "invalid or missing --compute-capability option",
            hint=f"the option is '{text}'; write the name of a GPU such as 'sm_100', or 'host' for the processor",
        )
    return Capability(int(match[1]), match[2])

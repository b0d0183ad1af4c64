"""The option ``compute-capability``: the GPU, or the host processor, that code is compiled for."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.dialects.common.chips import CHIPS, Chip, known_chips
from tilewright.ir.diagnostic import failure
from tilewright.lowering import codes
from tilewright.lowering.llvm_types.element_forms import HOST as HOST_FORMS, TYPED, ElementForms

HOST_NAME = "host"


@dataclass(frozen=True, slots=True)
class Capability:
    """The target of a compilation: a GPU of the table of targets, or the host processor if ``gpu`` is None."""

    gpu: Chip | None = None

    @property
    def is_host(self) -> bool:
        """Return whether code is compiled for the host processor and not for a GPU."""
        return self.gpu is None

    @property
    def number(self) -> int:
        """Return the compute capability of a GPU as ``major * 10 + minor``; 0 for the host."""
        return self.gpu.number if self.gpu is not None else 0

    @property
    def chip(self) -> str:
        """Return the value of the option: the name of the chip such as `sm_100`, or `host`."""
        return self.gpu.name if self.gpu is not None else HOST_NAME

    @property
    def elements(self) -> ElementForms:
        """Return the types by which elements and pointers are represented in registers and in memory on this
        target.
        """
        return TYPED if self.gpu is not None else HOST_FORMS

    @property
    def hint_target(self) -> str:
        """Return the name of the chip in optimization hints, without a suffix; `host` for the processor,
        which no hint names.
        """
        return self.gpu.name.removesuffix(self.gpu.suffix) if self.gpu is not None else HOST_NAME


HOST = Capability()


def parse_capability(text: str) -> Capability:
    """Return the target with a name such as ``host``, ``sm_100``, ``sm_90a`` or ``100``. Raises
    `DiagnosticError` for any other text, also for a chip that is not in the table of targets.
    """
    if text == HOST_NAME:
        return HOST
    chip = CHIPS.get(text) or CHIPS.get(f"sm_{text}")
    if chip is None:
        raise failure(
            codes.BAD_COMPUTE_CAPABILITY,
            "invalid or missing --compute-capability option",
            hint=f"the option is '{text}'; write '{HOST_NAME}' for the processor, or one of {known_chips()}",
        )
    return Capability(chip)

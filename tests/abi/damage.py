"""Damaged input: it may be read, and otherwise there is a diagnostic with a code, never anything else."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Generator

from tilewright.abi.image.segments import AbiImage
from tilewright.ir.diagnostic import DiagnosticError


@contextlib.contextmanager
def only_diagnostics() -> Generator[None, None, None]:
    """Lets diagnostics with a code pass."""
    try:
        yield
    except DiagnosticError as error:
        if error.diagnostics[0].code is None:
            raise


def flip_bits(image: AbiImage, rng: random.Random, count: int) -> None:
    """Flip bits anywhere in an image."""
    for _ in range(count):
        data = rng.choice([segment for segment in image.segments if segment.data]).data
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)

"""One row of the invalid-module tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.support.real.real_kernel import Build, Kernel, Types, Version


def _nothing(kernel: Kernel) -> None:
    """An empty body."""


@dataclass(frozen=True)
class Invalid:
    """A module that breaks one rule; ``fragment`` is the documented text, ``raw`` a file spelled by hand."""

    name: str
    op: str
    fragment: str
    build: Build = _nothing
    arguments: Sequence[Any] = ()
    version: Version = (13, 5)
    global_values: Callable[[Any, Types], None] | None = None
    debug: Callable[[Any], Any] | None = None
    terminate: bool = True
    results: Sequence[str] = ()
    raw: bytes | None = None


def bad(
    op: str, name: str, fragment: str, arguments: Sequence[Any] = (), version: Version = (13, 5), **given: Any
) -> Invalid:
    """A row whose body is the operands and this one op."""

    def build(kernel: Kernel) -> None:
        kernel.op(op, **given)

    return Invalid(f"{op}/{name}", op, fragment, build, arguments, version)


def built(
    op: str, name: str, fragment: str, build: Build, arguments: Sequence[Any] = (), **options: Any
) -> Invalid:
    """A row with a body of its own."""
    return Invalid(f"{op}/{name}", op, fragment, build, arguments, **options)

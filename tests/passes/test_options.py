"""What every registered pass does by default: its options with their defaults, and where it runs.

They stand in ``data/options.txt``, a line for each: whoever leaves out an option gets the same as before.  ``pytest
tests/passes/test_options.py --bless`` rewrites it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from tests.golden import compare
from tilewright.driver.startup import startup
from tilewright.passes.pass_ import Pass, option_name

OPTIONS = Path(__file__).parent / "data" / "options.txt"


def lines(name: str, cls: type[Pass]) -> Iterator[str]:
    """Yield the facts of a pass."""
    yield f"{name} runs on {cls.anchor or 'any operation'}; {'atomic' if cls.atomic else 'restored when it fails'}"
    for option in fields(cls):
        yield f"{name} {option_name(option.name)} = {option.default!r}"


def test_options_and_defaults(bless: bool) -> None:
    passes = startup().passes
    text = "\n".join(line for name in sorted(passes) for line in lines(name, passes[name]))
    compare(OPTIONS, text + "\n", bless=bless)

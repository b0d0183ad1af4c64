"""A program that launches a kernel again: its Tile IR as text, with arguments of the same types, extents and ranges."""

from __future__ import annotations

import ast
import ctypes
import math
import re
import textwrap
from collections.abc import Iterator, Sequence
from keyword import iskeyword
from typing import Any

import numpy as np
import numpy.typing as npt

from tilewright.driver.repeatable import array_of
from tilewright.explorer.schema import Argument, Place, Source

_EXACT = 64
"""The maximum number of elements of an array that is written out.

Larger arrays get random elements of equal range.
"""
_NEEDS = "It needs nothing but tilewright with its extra: pip install 'tilewright[cpu]'."
_TAKEN = frozenset(("MODULE", "random", "arguments", "strided", "ctypes", "np", "ml_dtypes", "tilewright"))
"""Names that the program uses itself."""
_STRIDED = '''
def strided(values, strides):
    """The same elements with other distances in bytes between them."""
    ends = [(extent - 1) * stride for extent, stride in zip(values.shape, strides)]
    low, high = sum(min(end, 0) for end in ends), sum(max(end, 0) for end in ends)
    made = np.ndarray(values.shape, values.dtype, np.zeros(high - low + values.itemsize, np.uint8), -low, strides)
    made[...] = values
    return made

'''


def text_of(
    module: str,
    kernel: tuple[str, tuple[int, int, int]],
    values: Sequence[Any],
    arguments: Sequence[Argument],
    *,
    target: str,
    command: str,
    source: str = "",
) -> str:
    """Return the text of a Python program that launches a kernel again, under all checks. `module` is its
    Tile IR as text, `kernel` its name and grid, and `arguments` describe `values`, the arguments of the
    original launch. The program writes out scalars, and arrays of at most 64 elements; a larger array is
    replaced with one of the same shape, strides and element type, with random elements of the same range, and
    complex arrays are always random.

    `target` is the target of the launch. The comments at the begin of the program contain `command` and the
    lines of `source`, the source text of the kernel.
    """
    name, grid = kernel
    made = [_expression(value) for value in values]
    arrays = [array for array in map(array_of, values) if array is not None]
    imports = ["import ctypes\n"]
    if any(_is_extra(array) for array in arrays):
        imports.append("import ml_dtypes")
    imports += ["import numpy as np", "import tilewright"]
    names = _names([argument.name for argument in arguments])
    listed = zip(names, made, arguments, strict=True)
    rows = [
        f"{own} = {text}  # {_comment(argument.name)}: {_comment(argument.value)}"
        for own, text, argument in listed
    ]
    head = f"Launches the kernel {name!r} as it was launched by: {command}\n{_NEEDS}"
    return "\n".join(
        [
            *(f"# {_comment(line)}" for line in head.split("\n")),
            *(f"# {line}".rstrip() for line in source.splitlines()),
            *imports,
            *([_STRIDED] if any("strided(" in text for text in made) else []),
            f"MODULE = {_quoted(module)}",
            "random = np.random.default_rng(0)",
            *rows,
            f"arguments = [{', '.join(names)}]",
            f"tilewright.launch(MODULE, {name!r}, {grid!r}, arguments, target={target!r}, check='all')",
            "",
        ]
    )


def _names(words: Sequence[str]) -> list[str]:
    """Return a different name of a variable for each of the program's names `words`: the name with ``_`` for
    other characters (``pair[1]`` is ``pair_1_``) if that is an identifier, else ``argument_`` and its
    position. A name that occurs before, or that the program uses itself, gets its position as suffix.
    """
    found: list[str] = []
    for number, word in enumerate(words):
        plain = re.sub(r"\W", "_", word)
        own = plain if plain.isidentifier() and not iskeyword(plain) else f"argument_{number}"
        found.append(f"{own}_{number}" if own in found or own in _TAKEN else own)
    return found


def _comment(text: str) -> str:
    """Return a text without line breaks, so that it fits into a comment."""
    return " ".join(text.split())


def _quoted(text: str) -> str:
    """Return a Python literal of `text`: a raw string over several lines, with a line break added before and
    after the text; for a text with three double quotes or a carriage return, its ``repr``.
    """
    return repr(text) if '"""' in text or "\r" in text else f'r"""\n{text}\n"""'


def _expression(value: Any) -> str:
    """Return a Python expression for an argument like `value`: an array with equal or random elements (see
    `_elements`), a ctypes object of the same class and number, or the ``repr`` of a number.
    """
    array = array_of(value)
    if array is not None:
        return _array(array)
    held = getattr(value, "value", value)
    words = f"float('{held}')" if isinstance(held, float) and not math.isfinite(held) else repr(held)
    return f"ctypes.{type(value).__name__}({words})" if isinstance(value, ctypes.Array | _SIMPLE) else words


_SIMPLE: Any = ctypes.c_int32.__base__


def _is_extra(array: npt.NDArray[Any]) -> bool:
    """Return whether the element type comes from `ml_dtypes`."""
    return type(array.dtype).__module__ == "numpy" and array.dtype.type.__module__.startswith("ml_dtypes")


def _array(array: npt.NDArray[Any]) -> str:
    dtype = f"ml_dtypes.{array.dtype}" if _is_extra(array) else repr(str(array.dtype))
    made = _elements(array, dtype)
    return made if array.flags.c_contiguous else f"strided({made}, {array.strides})"


def _elements(array: npt.NDArray[Any], dtype: str) -> str:
    """Return an expression for an array of the same extents and the element type `dtype`: with the same
    elements if they are at most `_EXACT`, else with random elements of the same range. Complex numbers are
    always random.
    """
    shape = tuple(map(int, array.shape))
    wide = array.astype(np.float64) if _is_extra(array) or array.dtype.kind == "f" else array
    if 0 < array.size <= _EXACT and array.dtype.kind in "biuf":
        listed = repr(wide.tolist()).replace("nan", "np.nan").replace("inf", "np.inf")
        return f"np.array({listed}, {dtype})"
    if array.dtype.kind == "c":
        return f"random.standard_normal({shape}).astype({dtype})"
    finite = wide[np.isfinite(wide)]
    low, high = (finite.min().item(), finite.max().item()) if finite.size else (0, 0)
    if low == high:
        return f"np.full({shape}, {low!r}, {dtype})"
    if array.dtype.kind in "iu":
        return f"random.integers({low}, {high}, {shape}, {dtype}, endpoint=True)"
    if array.dtype.kind == "b":
        return f"random.integers(0, 2, {shape}).astype({dtype})"
    return f"random.uniform({low!r}, {high!r}, {shape}).astype({dtype})"


def source_of(sources: Sequence[Source], places: Sequence[Place], place: int) -> str:
    """Return the source text of the innermost ``def`` that contains a position, with its decorators,
    dedented; an empty text if there is none or the source does not parse.
    """
    if place < 0:
        return ""
    found, line = sources[places[place].source], places[place].line
    try:
        tree = ast.parse(found.text)
    except (SyntaxError, ValueError):
        return ""
    around = [one for one in _functions(tree) if _first(one) <= line <= (one.end_lineno or 0)]
    if not around:
        return ""
    first, last = _first(around[-1]), around[-1].end_lineno
    return textwrap.dedent("\n".join(found.text.splitlines()[first - 1 : last]))


def _functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _first(function: ast.FunctionDef) -> int:
    return min([function.lineno, *(one.lineno for one in function.decorator_list)])

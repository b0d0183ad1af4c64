"""`python -m conformance.ptx spirv-run DIR`: run ZLUDA's programs (its folder `ptx/src/test/spirv_run`).

Each program computes a few numbers from a few others; inputs and results stand in `mod.rs`, as Rust.  Only figures are
printed.
"""

from __future__ import annotations

import argparse
import ast
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ptx.checks import read
from tilewright.ptx.model import PtxFunction
from tilewright.ptxsim import launch

TEST = re.compile(r"^test_ptx(_with_32|_warp)?!\(\s*(\w+)\s*(?:,(.*?))?\);", re.DOTALL | re.MULTILINE)
WARP = 64
"""So many threads run the tests of warps; all others have one."""
SHARED = 1024
NO_RESULTS = "it has no results to compare: ZLUDA tests its translation only"
ONE_WARP = frozenset({"ldmatrix", "ldmatrix_trans", "mma_m16n8k16_f32_bf16_bf16_f32_2x"})
"""Programs whose arrays are of one warp: a second one would access what is behind them."""
UNORDERED = frozenset({"ldmatrix", "ldmatrix_trans"})
"""Programs that read by `ldmatrix` what other lanes store, with nothing between that orders memory: races, which are
told, so the programs run without checks."""
REASONS = {
    "vshr_clamp": "video instructions are not simulated",
}
"""Why programs are outside of the subset."""


@dataclass(frozen=True, slots=True)
class Program:
    """A test: its arrays, and how many threads run it."""

    name: str
    arrays: tuple[Any, ...]
    threads: int


def _bits(kind: Any) -> Callable[[int], Any]:
    """Codes as numbers."""
    return lambda code: np.array([code], f"u{np.dtype(kind).itemsize}").view(kind)[0]


def _wrapped(kind: Any) -> Callable[[int], Any]:
    """Integers of a type, modulo its range."""
    size = np.dtype(kind).itemsize
    return lambda value: np.array([value & ((1 << 8 * size) - 1)], f"u{size}").view(kind)[0]


WORDS: dict[str, Any] = {
    f"{sign}{bits}": np.dtype(f"{'u' if sign == 'u' else 'i'}{bits // 8}").type
    for sign in "ui"
    for bits in (8, 16, 32, 64)
}
WORDS |= {"f16": np.float16, "f32": np.float32, "f64": np.float64}
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    **{name: kind if name[0] == "f" else _wrapped(kind) for name, kind in WORDS.items()},
    **{f"{name}_from_bits": _bits(WORDS[name]) for name in ("f16", "f32", "f64")},
    **{f"f16_from_f{bits}": np.float16 for bits in (32, 64)},
}
CONSTANTS: dict[str, float] = {
    "NAN": math.nan,
    "INFINITY": math.inf,
    "NEG_INFINITY": -math.inf,
    "consts_PI": math.pi,
}
NUMBER = re.compile(r"\b(0x[0-9a-fA-F_]+?|0b[01_]+?|\d[\d_]*(?:\.\d+)?(?:[eE]-?\d+)?)([uif](?:8|16|32|64))\b")


def _python(text: str) -> str:
    """Literals and paths of Rust as calls and names of Python."""
    text = re.sub(r"//.*", "", text).replace("std::", "").replace("half::", "")
    text = re.sub(r"\bas\s+[uif]\d+", "", text)
    text = (
        text.replace("NAN.to_bits()", "NAN_BITS")
        .replace("max_value()", "MAX")
        .replace("min_value()", "MIN")
        .replace(".to_bits()", "")
    )
    text = re.sub(r"(?<=[0-9a-fA-F])_+(?=[0-9a-fA-F])", "", text)
    return NUMBER.sub(r"\2(\1)", text).replace("::", "_")


def _constant(name: str) -> Any:
    kind, _, rest = name.partition("_")
    if rest == "NAN_BITS":
        return np.array(np.nan, WORDS[kind]).view(f"u{np.dtype(WORDS[kind]).itemsize}")[()]
    if rest in CONSTANTS:
        return WORDS[kind](CONSTANTS[rest])
    limits: Any = np.finfo(WORDS[kind]) if kind[0] == "f" else np.iinfo(WORDS[kind])
    return WORDS[kind]({"MAX": limits.max, "MIN": limits.min, "EPSILON": getattr(limits, "eps", 0)}[rest])


def _value(node: ast.expr) -> Any:
    """What an expression of the tests comes to.  Raises `ValueError` for one of another kind."""
    match node:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.Name(id=name):
            return _constant(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _negative(_value(operand))
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _value(left) / _value(right)
        case ast.Call(func=ast.Name(id=name), args=[argument]) if name in FUNCTIONS:
            return FUNCTIONS[name](_value(argument))
        case _:
            raise ValueError(ast.unparse(node))


def _negative(value: Any) -> Any:
    if isinstance(value, np.integer):
        return type(value)(np.array(0, value.dtype) - value)
    return -value


def arrays(text: str) -> tuple[Any, ...]:
    """The arrays of a test; elements without a type have that of the others."""
    tree = ast.parse(f"({_python(text).strip().rstrip(',')},)", mode="eval").body
    assert isinstance(tree, ast.Tuple)
    return tuple(_array([_value(one) for one in _elements(row)]) for row in tree.elts)


def _elements(row: ast.expr) -> Iterator[ast.expr]:
    if not isinstance(row, ast.List):
        raise ValueError(ast.unparse(row))
    yield from row.elts


def _array(values: list[Any]) -> Any:
    typed = next((value.dtype for value in values if isinstance(value, np.generic)), None)
    kind = typed or np.dtype(np.float32 if any(isinstance(value, float) for value in values) else np.int32)
    if kind.kind == "f":
        return np.array(values, kind)
    ones = (1 << 8 * kind.itemsize) - 1
    return np.array([int(value) & ones for value in values], f"u{kind.itemsize}").view(kind)


def programs(folder: Path) -> Iterator[tuple[str, Program | str]]:
    """The tests, or why one is not run."""
    source = re.sub(r"^\s*//.*$", "", (folder / "mod.rs").read_text(encoding="utf-8"), flags=re.MULTILINE)
    for kind, name, text in TEST.findall(source):
        if name in REASONS or not text:
            yield name, REASONS.get(name, NO_RESULTS)
            continue
        try:
            yield name, Program(name, arrays(text), WARP if kind == "_warp" else 1)
        except (ValueError, SyntaxError, KeyError) as error:
            yield name, f"its arrays are not understood: {error}"


def _for_all_instructions(text: str) -> str:
    """Return a program for sm_90a, unless it is for a later chip: for addresses of 64 bits, and all instructions."""
    named = re.search(r"\.target\s+sm_(\d+)", text)
    if named is not None and int(named[1]) > 90:
        return text
    text = re.sub(r"\.target\s+sm_\w+", ".target sm_90a", text)
    return re.sub(r"\.version\s+[\d.]+", ".version 8.7", text)


def attempt(folder: Path, program: Program) -> str:
    """Run a program; answers what is wrong, or nothing."""
    text = (folder / f"{program.name}.ptx").read_text(encoding="utf-8")
    text = _for_all_instructions(text)
    *inputs, expected = program.arrays
    threads = WARP // 2 if program.name in ONE_WARP else program.threads
    found = np.zeros_like(expected)
    try:
        module = read(text)
        entry = next(one for one in module.statements if isinstance(one, PtxFunction) and one.entry)
        args = [*(one.copy() for one in inputs), found]
        missing = len(entry.parameters) - len(args)  # an input that is not there is a null pointer
        checks = "none" if program.name in UNORDERED else "all"
        launch(module, entry.name, (1,), (threads,), [0] * missing + args, shared=SHARED, checks=checks)
    except DiagnosticError as error:
        return str(error).partition("\n")[0]
    if found.tobytes() == expected.tobytes() or (
        found.dtype.kind == "f" and np.array_equal(found, expected, equal_nan=True)
    ):
        return ""
    return f"{found.tolist()[:4]} instead of {expected.tolist()[:4]}"


def main(arguments: Sequence[str]) -> int:
    """The command; answers 1 if a result is wrong."""
    parser = argparse.ArgumentParser(prog="python -m conformance.ptx spirv-run", description=__doc__)
    parser.add_argument("folder", type=Path, help="ptx/src/test/spirv_run of a checkout of ZLUDA")
    folder: Path = parser.parse_args(arguments).folder
    right = wrong = skipped = 0
    for name, program in programs(folder):
        if isinstance(program, str):
            skipped += 1
            print(f"skipped  {name}  {program}")
            continue
        message = attempt(folder, program)
        right, wrong = right + (not message), wrong + bool(message)
        if message:
            print(f"wrong    {name}  {message}")
    print(f"{right} right, {wrong} wrong, {skipped} skipped")
    return min(wrong, 1)

"""The source tree as data, for the tests that guard the house rules."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

import tilewright
from tilewright.ir.support.collection import paused_collection

_Node = TypeVar("_Node", bound=ast.AST)

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"
CODE_FOLDERS = ("src", "tests", "examples", "tools", "fuzz", "benchmarks")
TEXT_SUFFIXES = frozenset(
    {".py", ".md", ".toml", ".yaml", ".yml", ".cfg", ".mlir", ".txt", ".json", ".sh", ""}
)
_SKIPPED = frozenset({"__pycache__", "node_modules", "build", "dist"})


def files(*folders: str) -> Iterator[Path]:
    """Every file below the folders (default: the whole repository), hidden tool folders left out, sorted."""
    for start in [ROOT / folder for folder in folders] if folders else [ROOT]:
        for folder, names, file_names in os.walk(start):
            names[:] = sorted(name for name in names if name not in _SKIPPED and _is_ours(name))
            yield from (Path(folder, name) for name in sorted(file_names))


def _is_ours(folder: str) -> bool:
    return not folder.startswith(".") or folder in (".ci", ".github")


@cache
def python_files(*folders: str) -> tuple[Path, ...]:
    """Every Python file below the folders."""
    return tuple(path for path in files(*(folders or CODE_FOLDERS)) if path.suffix == ".py")


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def trees(*folders: str) -> dict[Path, ast.Module]:
    """The syntax trees of every Python file below the folders; all stay, so the collector rests meanwhile."""
    with paused_collection():
        return {path: parsed(path) for path in python_files(*folders)}


@cache
def _by_class(tree: ast.Module) -> dict[type[ast.AST], list[ast.AST]]:
    """The nodes of a tree by their classes; many tests look at the same trees, so each is walked once."""
    found: dict[type[ast.AST], list[ast.AST]] = defaultdict(list)
    for node in ast.walk(tree):
        found[type(node)].append(node)
    return found


def nodes(tree: ast.Module, *classes: type[_Node]) -> list[_Node]:
    """The nodes of these classes: class by class, the outer ones first."""
    return [node for each in classes for node in _by_class(tree).get(each, ()) if isinstance(node, each)]


def forget_trees() -> None:
    """Give back the memory of all trees."""
    _by_class.cache_clear()
    parsed.cache_clear()


HOLDERS = (ast.stmt, ast.ExceptHandler, ast.match_case)
"""Where statements stand; expressions hold none."""


def import_statements(tree: ast.Module) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    """Import statements, and whether they run when the module is loaded; only statements hold statements."""
    pending: list[tuple[ast.AST, bool]] = [(tree, True)]
    while pending:
        node, eager = pending.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, eager
        lazy = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or (
            isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        )
        inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, HOLDERS)]
        pending.extend((child, eager and not lazy) for child in inner)


def module_name(path: Path) -> str:
    """The dotted name of a file below ``src``."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def relative(path: Path) -> str:
    """The path as reports show it."""
    return path.relative_to(ROOT).as_posix()


def imported_from() -> str:
    """The folder that tests import `tilewright` from; processes that they start import it from there, too."""
    return str(Path(tilewright.__file__).parents[1])


def run_python(program: str, *, seed: str = "0", arguments: tuple[str, ...] = ()) -> str:
    """What a fresh interpreter prints when it runs a program; fails the test when it does not exit with 0."""
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{imported_from()}{os.pathsep}{ROOT}"}
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout

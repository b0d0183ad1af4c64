"""Imports go down the floors only, and packages of one floor do not import each other in a circle."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.house.tree import import_statements, module_name, python_files, relative, trees

FLOORS = {
    "version": 0,
    "doubles": 0,
    "pages": 0,
    "ir": 1,
    "rewrite": 2,
    "passes": 2,
    "layouts": 2,
    "ptx": 2,
    "ptxsim": 2,
    "dialects": 3,
    "bytecode": 3,
    "abi": 3,
    "pdl": 3,
    "host": 2,
    "interp": 4,
    "optimizer": 4,
    "instrument": 4,
    "lowering": 4,
    "inspect": 4,
    "testing": 4,
    "reference": 4,
    "cpp": 5,
    "cuda_programs": 7,
    "targets": 5,
    "runtime": 5,
    "driver": 6,
    "cli": 7,
    "cutile": 7,
    "debugger": 7,
    "gpu_programs": 7,
    "triton": 8,
    "notebook": 8,
    "pytest_plugin": 8,
    "explorer": 7,
    "language_server": 7,
    "prover": 7,
    "tool_server": 7,
    "__main__": 8,
    "": 8,
}
"""The floor of every package (and module) directly below ``tilewright``; the empty name is ``__init__`` itself."""

KNOWS_NOTHING_OF = {
    "layouts": frozenset({"ir", "passes", "ptx", "ptxsim", "rewrite"}),
    "ptx": frozenset({"ir", "passes", "ptxsim", "rewrite"}),
    "ptxsim": frozenset({"ir", "passes", "rewrite"}),
    "runtime": frozenset({"targets"}),
}
"""Packages that must not use what their floor would allow: two beside the tower, and one with the contract of a kernel,
which targets use."""

SHARED = frozenset(
    {
        "tilewright.ir.codes",
        "tilewright.ir.diagnostic",
        "tilewright.ir.location",
        "tilewright.ir.support.print_conversions",
        "tilewright.ir.support.progress",
        "tilewright.ir.support.trace_events",
    }
)
"""Modules of `ir` that know no IR: what stands apart may use diagnostics, print, tell of progress and write
times down."""

LAZY_UPWARDS = frozenset({("ir", "ir.text")})
"""(importer, imported): allowed for type checkers and inside functions only."""

APART = frozenset({"ir.text"})
"""Packages that are looked at by themselves, and not as a part of the one they are in."""


ROOM_FLOORS = {
    "targets.cpu": {
        "machine": 0,
        "facts": 0,
        "plan": 1,
        "memory": 2,
        "planning": 2,
        "nest": 3,
        "products": 4,
        "checks": 4,
        "kernel": 5,
        "text": 5,
        "back_end": 6,
        "stages": 7,
    },
    "targets.nvptx": {
        "codes": 0,
        "tools": 0,
        "launch_shape": 0,
        "narrow_functions": 0,
        "addresses": 0,
        "simulation_reports": 0,
        "absent": 1,
        "device": 1,
        "disassemble": 1,
        "instructions": 1,
        "simulation_limit": 1,
        "assemble": 1,
        "nvvm_to_ptx": 1,
        "simulated": 2,
        "shared_memory": 2,
        "exchanges": 3,
        "kernels": 3,
        "loops": 3,
        "pipelines": 4,
        "tileas_to_nvvm": 5,
        "drawings": 6,
        "stages": 6,
    },
}
"""The floor of every room of a target: imports go to a lower floor, also those of type checkers and functions."""


@dataclass(frozen=True)
class Import:
    """One import statement: who, what (package and module), and whether it runs when the importer is loaded."""

    place: str
    importer: str
    imported: str
    module: str
    eager: bool


def room(package: str, module: str) -> str:
    """The room of a package that a module is in; a module of the package itself is its own room."""
    return module.removeprefix(f"tilewright.{package}").lstrip(".").partition(".")[0]


def room_imports(package: str) -> Iterator[tuple[str, str, str]]:
    """The imports between rooms of a package: where, and the two modules below the package."""
    start = f"tilewright.{package}"
    for path, tree in trees("src").items():
        module = module_name(path)
        if not module.startswith(start):
            continue
        for node, _ in import_statements(tree):
            for name in _imported_rooms(node, start):
                if room(package, name) != room(package, module):
                    where = f"{relative(path)}:{node.lineno}"
                    yield where, module.removeprefix(f"{start}."), name.removeprefix(f"{start}.")


def _imported_rooms(node: ast.Import | ast.ImportFrom, start: str) -> list[str]:
    names = _imported(node)
    if isinstance(node, ast.ImportFrom) and node.module == start:
        names = [f"{start}.{alias.name}" for alias in node.names]
    return [name for name in names if name.startswith(f"{start}.")]


def part(module: str) -> str:
    """The package below ``tilewright`` that a module belongs to."""
    names = module.split(".")[1:]
    nested = ".".join(names[:2])
    return nested if nested in APART else names[0] if names else ""


def imports() -> Iterator[Import]:
    """All import statements of the package."""
    for path, tree in trees("src").items():
        module = module_name(path)
        for node, eager in import_statements(tree):
            for name in _imported(node):
                yield Import(f"{relative(path)}:{node.lineno}", part(module), part(name), name, eager)


def _imported_module(package: str, name: str) -> str:
    """The module that ``from package import name`` loads: a module of the package, or the package itself."""
    module = f"{package}.{name}"
    return module if module in _modules() else package


@cache
def _modules() -> frozenset[str]:
    return frozenset(module_name(path) for path in python_files("src"))


def _imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif node.module == "tilewright":
        names = [f"tilewright.{alias.name}" for alias in node.names if alias.name != "__version__"]
    else:
        names = [_imported_module(node.module or "", alias.name) for alias in node.names]
    return [name for name in names if name.split(".")[0] == "tilewright"]


@cache
def all_imports() -> tuple[Import, ...]:
    return tuple(imports())


def floor(package: str) -> int:
    return FLOORS[package.partition(".")[0]]


def test_every_package_has_a_floor() -> None:
    packages = {part(module_name(path)).partition(".")[0] for path in python_files("src")}
    assert packages <= FLOORS.keys()


def test_imports_go_down() -> None:
    wrong = [i for i in all_imports() if i.importer and floor(i.imported) > floor(i.importer)]
    assert [f"{i.place}: {i.importer} must not import {i.imported}" for i in wrong] == []


def test_text_is_above_the_ir() -> None:
    wrong = [i for i in all_imports() if (i.importer, i.imported) in LAZY_UPWARDS and i.eager]
    assert [f"{i.place}: import {i.imported} inside the function that needs it" for i in wrong] == []


@pytest.mark.parametrize("package", KNOWS_NOTHING_OF)
def test_what_stands_apart(package: str) -> None:
    unknown = KNOWS_NOTHING_OF[package]
    ours = [i for i in all_imports() if i.importer == package]
    wrong = [i for i in ours if i.imported.partition(".")[0] in unknown and i.module not in SHARED]
    assert wrong == []


def test_packages_are_not_circular() -> None:
    graph: dict[str, set[str]] = {}
    for i in all_imports():
        pair = (i.importer, i.imported)
        if i.importer and i.importer != i.imported and pair not in LAZY_UPWARDS:
            graph.setdefault(i.importer, set()).add(i.imported)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"packages import each other in a circle: {error.args[1]}")


@pytest.mark.parametrize("package", ROOM_FLOORS)
def test_every_room_has_a_floor(package: str) -> None:
    modules = map(module_name, python_files("src"))
    rooms = {room(package, module) for module in modules if module.startswith(f"tilewright.{package}")}
    assert rooms == ROOM_FLOORS[package].keys()


@pytest.mark.parametrize("package", ROOM_FLOORS)
def test_rooms_import_from_lower_floors(package: str) -> None:
    floors = ROOM_FLOORS[package]
    wrong = {
        (importer, imported): place
        for place, importer, imported in room_imports(package)
        if floors[imported.partition(".")[0]] >= floors[importer.partition(".")[0]]
    }
    assert [f"{place}: must not import {pair[1]}" for pair, place in wrong.items()] == []


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("import tilewright.ir.block", ["tilewright.ir.block"]),
        ("from tilewright import cutile", ["tilewright.cutile"]),
        ("from tilewright import __version__", []),
        ("from tilewright.ir.block import Block", ["tilewright.ir.block"]),
        ("import numpy", []),
    ],
)
def test_how_imports_are_read(statement: str, found: list[str]) -> None:
    ((node, eager),) = import_statements(ast.parse(statement))
    assert (_imported(node), eager) == (found, True)


def test_lazy_imports_are_told_apart() -> None:
    program = "if TYPE_CHECKING:\n  import a\ndef f():\n  import b\nimport c\nclass C:\n  import d\n"
    found = {ast.unparse(node): eager for node, eager in import_statements(ast.parse(program))}
    assert found == {"import a": False, "import b": False, "import c": True, "import d": True}

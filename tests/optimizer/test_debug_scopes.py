"""`synthesize-debug-info-scopes`: kernels get a subprogram from their places in files, and keep one they have."""

from __future__ import annotations

import pytest

from tests.optimizer.optimizing import parsed, run
from tilewright.dialects.cuda_tile.attributes import DILocation, DISubprogramAttr
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation

PASS = "synthesize-debug-info-scopes"


def scopes(text: str) -> tuple[list[DILocation], Operation]:
    """The locations of the kernel's operations after the pass, itself first."""
    module = run(parsed(text), PASS)
    found: list[DILocation] = []
    for op in module.regions[0].block.ops[-1].walk():
        assert isinstance(op.location, DILocation)
        found.append(op.location)
    return found, module


def one_kernel(at_return: str, at_kernel: str, at_module: str = "unknown") -> str:
    return f"cuda_tile.module @m {{\nentry @k() {{\nreturn loc({at_return})\n}} loc({at_kernel})\n}} loc({at_module})"


def subprogram(location: DILocation) -> DISubprogramAttr:
    scope = location.scope
    assert isinstance(scope, DISubprogramAttr)
    return scope


def test_nothing_is_known() -> None:
    (kernel, inside), _ = scopes(one_kernel("unknown", "unknown"))
    assert inside is kernel
    assert kernel.source == ("<unknown>", 1, 1)
    scope = subprogram(kernel)
    assert (scope.label, scope.linkage_name, scope.line, scope.scope_line) == ("k", "k", 1, 1)
    assert scope.file is scope.compile_unit.file
    assert (scope.file.file_name, scope.file.directory) == ("<unknown>", "")


def test_places_are_used() -> None:
    (kernel, inside), _ = scopes(
        one_kernel('"/home/a/file.py":12:4', '"/home/a/file.py":10:4', '"other.py":1:1')
    )
    assert kernel.source == ("/home/a/file.py", 10, 5)
    assert inside.source == ("/home/a/file.py", 12, 5)
    scope = subprogram(kernel)
    assert subprogram(inside) is scope
    assert (scope.file.file_name, scope.file.directory) == ("file.py", "/home/a")
    assert (scope.line, scope.scope_line) == (10, 10)
    assert scope.compile_unit.file.file_name == "other.py"


@pytest.mark.parametrize(
    "place",
    [
        'callsite(unknown at "f.py":12:4)',
        'callsite("callee.py":3:3 at "f.py":12:4)',
        '"name"("f.py":12:4)',
        'fused["name"("f.py":12:4), "g.py":1:1]',
        'fused[unknown, "f.py":12:4]',
    ],
)
def test_places_inside_other_locations(place: str) -> None:
    (_, inside), _ = scopes(one_kernel(place, '"f.py":10:4'))
    assert inside.source == ("f.py", 12, 5)


@pytest.mark.parametrize("file", ["kernel.py", "kernel.mlir"])
def test_places_stay_where_they_are(file: str) -> None:
    """Scopes move no column, wherever the producer of the file counts from."""
    text = one_kernel(f'"{file}":12:4', f'"{file}":10:4', f'"{file}":1:1')
    before = [op.location.source for op in parsed(text).walk()]
    after = [op.location for op in run(parsed(text), PASS).walk()]
    assert [location.source for location in after] == before
    assert [str(location.location) for location in after if isinstance(location, DILocation)] == [
        f'loc("{file}":10:4)',
        f'loc("{file}":12:4)',
    ]


def test_what_has_no_place_gets_that_of_the_kernel() -> None:
    (_, inside), _ = scopes(one_kernel("unknown", '"f.py":10:4'))
    assert inside.source == ("f.py", 10, 5)


def test_scopes_are_kept() -> None:
    text = str(scopes(one_kernel('"f.py":12:4', '"f.py":10:4'))[1])
    module = scopes(one_kernel('"f.py":12:4', '"f.py":10:4'))[1]
    places = [op.location for op in module.walk()]
    run(module, PASS)
    assert [op.location for op in module.walk()] == places
    assert str(module) == text


def test_globals_get_no_scope() -> None:
    module = run(
        parsed("cuda_tile.module @m {\nglobal @g <i32: 1> : tile<1xi32>\nentry @k() { return }\n}"), PASS
    )
    assert not isinstance(module.regions[0].block.ops[0].location, DILocation)


def test_it_runs_on_modules_only() -> None:
    with pytest.raises(DiagnosticError, match=r"anchored on 'cuda_tile\.module'"):
        run(parsed(one_kernel("unknown", "unknown")), f"cuda_tile.module(cuda_tile.entry({PASS}))")

"""What is compiled is a module: an operation that stands alone at the top is refused where it stands."""

from __future__ import annotations

import pytest

import tilewright
from tilewright.driver import codes
from tilewright.ir.diagnostic import DiagnosticError

FUNCTIONS = {
    "nv_tileaa.func": """"nv_tileaa.func"() <{function_type = () -> (), sym_name = "k"}> ({
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
""",
    "func.func": "func.func @k() {\n  return\n}\n",
    "llvm.func": "llvm.func @k() {\n  llvm.return\n}\n",
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_that_stands_alone_is_refused_with_its_place(name: str) -> None:
    with pytest.raises(DiagnosticError) as caught:
        tilewright.compile(FUNCTIONS[name])
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code is codes.NOT_A_MODULE
    assert diagnostic.message == f"'{name}' stands at the top of the input without a module around it"
    assert str(diagnostic).startswith("<string>:1:1:")
    assert "hint: put it into a module: `module { ... }`" in str(diagnostic)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_way_out_works(name: str) -> None:
    assert tilewright.compile(f"module {{\n{FUNCTIONS[name]}}}\n")

"""When a program gets the stand-in for the driver of CUDA, and whose imports ask for it."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from tilewright.cuda_programs import codes, python_programs
from tilewright.gpu_programs import ProgramSettings, routing
from tilewright.gpu_programs.refusals import NoDriverError
from tilewright.ir.diagnostic import failure

DRIVER, RUNTIME = "cuda.bindings._internal.driver", "cuda.bindings._internal.runtime"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The settings for which a stand-in was asked, which cannot be built."""
    found: list[Any] = []

    def refuse(settings: ProgramSettings) -> None:
        found.append(settings)
        raise failure(codes.NOT_BUILT, "there is no host compiler")

    monkeypatch.setattr(python_programs, "stand_in", refuse)
    return found


@pytest.mark.parametrize("name", [DRIVER, RUNTIME])
def test_modules_that_were_imported_before_ask_in_vain(
    name: str, asked: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for one in (DRIVER, RUNTIME):
        monkeypatch.delitem(sys.modules, one, raising=False)
    monkeypatch.setitem(sys.modules, name, ModuleType(name))
    with routing.routed(ProgramSettings()) as made:
        assert asked == [made.settings]


def changed(made: routing.Routing, name: str) -> None:
    """Let a routing change a module, as its import does."""
    hooks: Any = vars(made)["_hooks"]
    vars(hooks)["_changes"][name](ModuleType(name))


@pytest.mark.parametrize("name", [DRIVER, RUNTIME])
def test_a_program_that_imports_them_is_told(name: str, asked: list[Any]) -> None:
    with pytest.raises(NoDriverError, match="there is no host compiler"):
        changed(routing.Routing(ProgramSettings()), name)
    assert len(asked) == 1


def test_the_frontend_of_cpp_needs_no_driver(asked: list[Any]) -> None:
    frontend: dict[str, Any] = {"__name__": "tilewright.cpp.nvrtc"}
    exec("def call(action):\n    action()", frontend)
    frontend["call"](lambda: changed(routing.Routing(ProgramSettings()), DRIVER))
    assert asked == []

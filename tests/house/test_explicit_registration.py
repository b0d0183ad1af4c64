"""Importing a module registers nothing; `startup` does."""

from __future__ import annotations

import pytest

from tests.house.tree import SOURCE, module_name, python_files, run_python

NOT_ALONE = frozenset({"tilewright.__main__", "tilewright.triton.compiler", "tilewright.triton.driver"})
"""A program, and what Triton imports while it is imported itself: only it can."""
MODULES = tuple(sorted(name for p in python_files("src") if (name := module_name(p)) not in NOT_ALONE))
PACKAGES = tuple(sorted({module_name(p.parent) for p in python_files("src") if p.parent != SOURCE}))

IMPORT_ALL = """
import gc, importlib, os, sys
gc.disable()  # all that is imported stays
for order in (1, -1):
    for loaded in [m for m in sys.modules if m.partition(".")[0] == "tilewright"]:
        del sys.modules[loaded]
    from tilewright.ir.context import Context
    from tilewright.ir.interfaces.type_id import known_type_ids
    before = Context()
    ids = len(known_type_ids())
    for name in sys.argv[1:][::order]:
        importlib.import_module(name)
    for context in (before, Context()):
        print(len(context.dialects), len(context.kinds), len(known_type_ids()) - ids)
sys.stdout.flush()
os._exit(0)  # to free all modules takes a second
"""


def test_importing_everything_registers_nothing() -> None:
    """Forwards and backwards, each time with new modules."""
    pytest.importorskip("numpy")
    assert run_python(IMPORT_ALL, arguments=MODULES).split() == ["0"] * 12


IMPORT_EACH_ALONE = """
import importlib, sys
for name in sys.argv[1:]:
    for loaded in [m for m in sys.modules if m.partition(".")[0] == "tilewright"]:
        del sys.modules[loaded]
    importlib.import_module(name)
"""


def test_every_package_can_be_imported_first() -> None:
    pytest.importorskip("numpy")
    run_python(IMPORT_EACH_ALONE, arguments=PACKAGES)


def test_no_global_pass_registry_is_filled_by_importing() -> None:
    program = "import tilewright.passes.pass_ as p; print(sorted(c.name for c in p.Pass.__subclasses__()))"
    assert run_python(program).strip() == "['callable']"

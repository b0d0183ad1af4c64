"""Start-up stays cheap: what is not needed is not imported."""

from __future__ import annotations

import pytest

from tests.house.tree import run_python
from tilewright.cli.main import COMMANDS

HEAVY = ("numpy", "llvmlite", "ml_dtypes", "cuda", "click", "rich", "torch")
LOADED = "import sys\nprint(*sorted({m.partition('.')[0] for m in sys.modules} & set(%r)))"


def loaded_after(program: str) -> list[str]:
    return run_python(program + "\n" + LOADED % (HEAVY,)).splitlines()[-1].split()


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert loaded_after("import tilewright") == []


def test_the_ir_needs_no_array_library() -> None:
    program = (
        "import tilewright.ir.text.parser, tilewright.ir.verifier, tilewright.dialects.cuda_tile.dialect"
    )
    assert loaded_after(program) == []


HELP = """
from tilewright.cli.main import main
try:
    main(["--help"])
except SystemExit as end:
    assert end.code == 0
"""


def test_help_lists_every_command_and_loads_no_array_library() -> None:
    assert loaded_after(HELP) == ["click"]
    shown = run_python(HELP)
    for name, (_, text) in COMMANDS.items():
        assert f"  {name} " in shown
        assert text in " ".join(shown.split())


@pytest.mark.parametrize("name", ["launch", "load", "context", "Target", "Diagnostic", "DiagnosticError"])
def test_public_names_are_found_on_first_use(name: str) -> None:
    pytest.importorskip("numpy")
    assert run_python(f"import tilewright; print(tilewright.{name}.__name__)").strip() == name


def test_a_missing_name_is_an_attribute_error() -> None:
    import tilewright

    with pytest.raises(AttributeError, match="nothing"):
        _ = tilewright.nothing
    assert set(tilewright.__all__) <= set(dir(tilewright))

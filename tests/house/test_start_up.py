"""Start-up stays cheap: what is not needed is not imported."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.house.tree import ROOT, run_python
from tilewright.cli.main import COMMANDS

KERNEL = next((ROOT / "tests" / "bytecode" / "fixtures").glob("kernel.fft@*"))
HEAVY = ("numpy", "llvmlite", "ml_dtypes", "cuda", "click", "rich", "torch", "platformdirs")
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


RUN = """
import sys
from tilewright.cli.main import main
sys.argv = ["tilewright", *%r]
try:
    main()
except SystemExit as end:
    assert not end.code
loaded = set(sys.modules)
print()
print(*sorted(loaded))
"""
LIBRARIES = (
    "click",
    "dataclasses",
    "difflib",
    "fractions",
    "hashlib",
    "inspect",
    "json",
    "locale",
    "pathlib",
    "subprocess",
    "tempfile",
)
PASSES = ("tilewright.passes.pass_", "tilewright.rewrite.greedy", "tilewright.rewrite.conversion.driver")
FOLDS = (
    "tilewright.dialects.cuda_tile.canonicalization.pattern_set",
    "tilewright.dialects.cuda_tile.folds.float",
    "tilewright.dialects.cuda_tile.float_rules",
    "tilewright.dialects.arith.canonicalization",
    "tilewright.dialects.arith.folds_integer",
    "tilewright.ir.arithmetic.float_arithmetic",
)
TILE_IR = ("tilewright.dialects.cuda_tile.types", "tilewright.bytecode.reader.module")
ARITH = "func.func @f(%a: i32) -> i32 {\n  %b = arith.addi %a, %a : i32\n  return %b : i32\n}\n"
NOT_NEEDED: dict[str, tuple[tuple[str, ...], str, tuple[str, ...]]] = {
    "opt of an empty module": (("opt",), "module {}\n", (*LIBRARIES, *PASSES, *FOLDS, *TILE_IR)),
    "opt of arithmetic": (
        ("opt",),
        ARITH,
        ("click", "inspect", "json", "pathlib", *PASSES, *FOLDS, *TILE_IR),
    ),
    "disasm": (
        ("disasm",),
        "",
        (
            *LIBRARIES,
            *PASSES,
            *FOLDS,
            "tilewright.driver",
            "tilewright.ir.text.format.parsing",
            "tilewright.ir.text.parser",
        ),
    ),
    "translate": (("translate",), "", ("click", "inspect", "json", *PASSES, *FOLDS)),
}
"""By what is done: the command, its input (a real kernel in bytecode if empty), and modules that it needs not."""


@pytest.mark.parametrize("name", NOT_NEEDED)
def test_commands_import_little_and_compile_no_code_meanwhile(name: str, tmp_path: Path) -> None:
    command, text, modules = NOT_NEEDED[name]
    path = KERNEL
    if text:
        path = tmp_path / "input.mlir"
        path.write_text(text)
    loaded = run_python(RUN % [*command, str(path)]).splitlines()[-1].split()
    assert set(loaded).isdisjoint(modules)
    found = [f"{module}: {what}" for module in loaded for what in compiling(module)]
    assert found == []


def compiling(module: str) -> list[str]:
    """What a module of tilewright compiles when it is imported, though there is a way without it."""
    if module.partition(".")[0] != "tilewright":
        return []
    place = ROOT.joinpath("src", *module.split("."))
    path = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    if not path.exists():  # a folder without code
        return []
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [ast.unparse(node.value) for node in tree.body if isinstance(node, ast.Assign)]
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "typing"]
    names = [alias.name for node in imports for alias in node.names]
    return [*(text for text in found if text.startswith("re.compile(")), *({"NamedTuple"} & set(names))]


def test_a_program_without_options_starts_without_a_parser(tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text("import sys\nprint(len(sys.argv))\n")
    for command in ([str(path), "--help"], ["run", str(path), "--help"]):
        *shown, loaded = run_python(RUN % command).splitlines()
        assert shown[0] == "2"
        assert "click" not in loaded.split()


LAUNCH = """
import sys
import numpy as np
import tilewright
values = np.ones(4, np.float32)
content = bytes.fromhex(sys.argv[1])
tilewright.launch(content, "scale", 1, [values, 2.0])
print(values.tolist())
print(*sys.modules)
"""
COMPILER = (
    "bytecode.reader",
    "dialects.cuda_tile",
    "ir.context",
    "ir.operation",
    "lowering",
    "passes",
    "rewrite",
)


def test_a_launch_of_code_in_the_cache_loads_no_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("llvmlite")
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TILEWRIGHT_CACHE_SIZE", "1M")
    from tilewright import compile

    artifact = compile(str(ROOT / "tests" / "house" / "data" / "kernel.mlir"))
    content = artifact.asm["bytecode"]
    assert isinstance(content, bytes)
    compile(content).kernels()
    shown, loaded = run_python(LAUNCH, arguments=(content.hex(),)).splitlines()
    assert shown == "[4.0, 4.0, 4.0, 4.0]"
    assert set(loaded.split()).isdisjoint({f"tilewright.{module}" for module in COMPILER})


@pytest.mark.parametrize("name", ["launch", "load", "context", "Target", "Diagnostic", "DiagnosticError"])
def test_public_names_are_found_on_first_use(name: str) -> None:
    pytest.importorskip("numpy")
    assert run_python(f"import tilewright; print(tilewright.{name}.__name__)").strip() == name


def test_a_missing_name_is_an_attribute_error() -> None:
    import tilewright

    with pytest.raises(AttributeError, match="nothing"):
        _ = tilewright.nothing
    assert set(tilewright.__all__) <= set(dir(tilewright))


SUITE = """
import sys
import pytest
pytest.main(["-q", "--collect-only", "-p", "no:cacheprovider", "-p", "tilewright.pytest_plugin", "--rootdir", sys.argv[1], sys.argv[1]])
print(*(name for name in sys.modules if name.partition(".")[0] in ("tilewright", "tomllib")))
"""


def test_the_plugin_imports_nothing_until_it_is_asked_for(tmp_path: Path) -> None:
    """Every suite in an environment with tilewright loads it."""
    (tmp_path / "test_nothing.py").write_text("")
    loaded = run_python(SUITE, arguments=(str(tmp_path),)).splitlines()[-1].split()
    assert set(loaded) == {"tilewright", "tilewright.version", "tilewright.pytest_plugin"}


def test_a_project_without_settings_costs_no_parser(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "kernels"\n')
    program = tmp_path / "program.py"
    program.write_text("import sys\nprint(len(sys.argv))\n")
    loaded = run_python(RUN % [str(program)]).splitlines()[-1].split()
    assert {"tilewright.cli.project"} <= set(loaded)
    assert {"tomllib", "click", "tilewright.cli.defaults"}.isdisjoint(loaded)

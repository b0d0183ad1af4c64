"""Packages that extend tilewright, by entry points and by `--load-module`: the example is one."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.tree import ROOT
from tilewright.cli.main import main
from tilewright.driver import startup, target
from tilewright.driver.extensions import extension
from tilewright.driver.extensions.extension import extensions
from tilewright.driver.extensions.loading import load_module
from tilewright.driver.registry import Registry
from tilewright.driver.startup import steps
from tilewright.ir.diagnostic import DiagnosticError

PACKAGE = ROOT / "examples" / "out_of_tree"
SOURCES = str(PACKAGE / "src")
KERNEL = """
"cuda_tile.module"() <{sym_name = "m"}> ({
  "cuda_tile.entry"() <{sym_name = "k", function_type = (!cuda_tile.tile<i32>) -> ()}> ({
  ^bb0(%x: !cuda_tile.tile<i32>):
    %y = "clamp.clampi"(%x, %x, %x) <{signedness = #cuda_tile.signedness<signed>}>
      : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tile<i32>
    "cuda_tile.print_tko"(%y) <{str = "%i", operandSegmentSizes = array<i32: 1, 0>}>
      : (!cuda_tile.tile<i32>) -> !cuda_tile.token
    "cuda_tile.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
"""


@pytest.fixture(autouse=True)
def fresh_tables(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tables as in a new process, which go away with the test."""
    filled = Registry()
    filled.run_all(steps())
    monkeypatch.setattr(startup, "_REGISTRY", filled)
    del extension.LOADED[:]
    kept = dict(target.TARGETS)
    extension._installed.cache_clear()
    yield
    del extension.LOADED[:]
    target.TARGETS.clear()
    target.TARGETS.update(kept)
    extension._installed.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "tilewright_clamp"]:
        del sys.modules[name]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example as an installer leaves it: its modules on the path, and metadata beside them."""
    metadata = tmp_path / "tilewright_clamp-0.1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: tilewright-clamp\nVersion: 0.1.0\n")
    lines = (PACKAGE / "pyproject.toml").read_text().splitlines()
    group = lines.index('[project.entry-points."tilewright.extensions"]')
    name, _, place = lines[group + 1].partition(" = ")
    (metadata / "entry_points.txt").write_text(f"[tilewright.extensions]\n{name} = {place.strip(chr(34))}\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.syspath_prepend(SOURCES)


@pytest.fixture
def kernel(tmp_path: Path) -> str:
    path = tmp_path / "clamp.mlir"
    path.write_text(KERNEL)
    return str(path)


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    code = ended.value.code
    return code if isinstance(code, int) else 0


def test_an_installed_package_is_found_when_one_of_its_names_is_met(
    installed: None, kernel: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("verify", kernel) == 0, capsys.readouterr().err
    assert run("opt", kernel, "--lower-clamp") == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert "maxi" in shown.out
    assert "clamp" not in shown.out
    assert run("opt", kernel, "--pass-pipeline=builtin.module(clamp-to-tile-ir)") == 0
    assert "print_tko" in capsys.readouterr().out
    assert run("compile", kernel, "--pipeline=clamp-to-tile-ir", "--emit=bytecode", "-o", f"{kernel}bc") == 0


def test_a_target_of_a_package_compiles_has_options_and_launches(
    installed: None, kernel: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_SIZE", "0")
    monkeypatch.delitem(sys.modules, "tilewright.cli.commands.compile", raising=False)
    words = ("compile", kernel, "--pipeline=lower-clamp", "--target=listing", "--emit=listing", "--numbers")
    assert run(*words) == 0, capsys.readouterr().err
    assert "0 builtin.module\n" in capsys.readouterr().out
    monkeypatch.delitem(sys.modules, "tilewright.cli.commands.compile", raising=False)


def test_lists_have_what_packages_bring(installed: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("registry", "--json") == 0
    rows = {(row["table"], row["name"]) for row in json.loads(capsys.readouterr().out)}
    assert {
        ("dialect", "clamp"),
        ("pass", "lower-clamp"),
        ("pass", "clamp-to-tile-ir"),
        ("target", "listing"),
    } <= rows


def test_a_module_is_loaded_by_its_name_and_as_a_file(
    kernel: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert run("opt", kernel, "--lower-clamp") == 2
    assert "unknown argument '--lower-clamp'" in capsys.readouterr().err
    monkeypatch.syspath_prepend(SOURCES)
    assert run("opt", kernel, "--lower-clamp", "--load-module", "tilewright_clamp") == 0
    assert "maxi" in capsys.readouterr().out
    file = tmp_path / "own_extension.py"
    file.write_text(
        "from tilewright.driver.extensions.extension import Extension\n"
        "EXTENSION = Extension(passes={'again': 'tilewright.passes.transforms.cse:CSE'})\n"
    )
    assert load_module(str(file)).passes["again"] == "tilewright.passes.transforms.cse:CSE"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("import no_such_module", "No module named 'no_such_module'"),
        ("EXTENSION = 1", "has no constant EXTENSION that is an Extension"),
    ],
    ids=["ends", "imports what is not there", "has another constant"],
)
def test_modules_that_are_no_extensions(
    text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(text)
    assert run("doctor", f"--load-module={file}") == 2
    shown = capsys.readouterr()
    assert "TW0515" in shown.err
    assert words in shown.err
    assert run("doctor", "--load-module=") == 2


def test_an_installed_package_that_is_broken_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    metadata = tmp_path / "broken-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[tilewright.extensions]\nbroken = no_such_module:EXTENSION\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert extensions() == ()
    expected = (
        "warning: cannot load the extension 'broken': ModuleNotFoundError: No module named 'no_such_module'\n"
    )
    assert capsys.readouterr().err == expected


def test_names_that_are_taken_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for brought in (
        extension.Extension(dialects={"arith": "elsewhere:ARITH"}),
        extension.Extension(targets=(target.Target("cpu"),)),
    ):
        monkeypatch.setattr(extension, "LOADED", [brought])
        with pytest.raises(DiagnosticError, match=r"TW0508.*already registered as '(arith|cpu)'"):
            startup.startup().add_packages()
    monkeypatch.setattr(extension, "LOADED", [extension.Extension(passes={"cse": "elsewhere:CSE"})])
    with pytest.raises(DiagnosticError, match="TW0508"):
        list(startup.startup().passes)

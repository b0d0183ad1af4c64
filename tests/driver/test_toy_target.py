"""A target is one row of one table: a toy that prints the names of the operations, and counts its launches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click
import pytest
from click.testing import CliRunner

from tests.house.tree import ROOT, python_files, relative
from tilewright.cli.commands.compile import target_flags
from tilewright.cli.completion import stages
from tilewright.cli.group import cli
from tilewright.driver.artifact import MissingStageError
from tilewright.driver.compile import compile
from tilewright.driver.launch import launch
from tilewright.driver.loading import cache_key
from tilewright.driver.registry import Registry
from tilewright.driver.stages import CompileOptions
from tilewright.driver.startup import steps
from tilewright.driver.target import TARGETS, Target
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.operation import Operation
from tilewright.runtime.image import Image
from tilewright.targets.stage import Compilation, Stage, TargetHooks, TargetOption

pytest.importorskip("numpy")

KERNEL = ROOT / "tests" / "house" / "data" / "kernel.mlir"
TEXT = KERNEL.read_text()


def names_of(compilation: Compilation, module: Operation) -> str:
    """The names of the operations, one in a line."""
    line = "{}!" if compilation.option("loud") else "{}"
    return "".join(line.format(op.kind.name) + "\n" for op in module.walk())


def counted(_: Compilation, text: str) -> str:
    """How often each operation occurs."""
    names = text.split()
    return "".join(f"{name} {names.count(name)}\n" for name in dict.fromkeys(names))


HOOKS = TargetHooks(
    stages=(
        Stage("names", "names of operations", ".names", "tileas", write=names_of),
        Stage("counts", "numbers of operations", ".counts", "names", translate=counted),
    ),
    code="names",
    kernels=lambda _: (),
    options=(TargetOption("loud", False, "Print an exclamation mark after each name."),),
    identity=lambda options: options["loud"],
)

LAUNCHES: list[tuple[str, Any, Any]] = []


class ToyKernel:
    """A kernel whose launches are counted."""

    def __init__(self, code: bytes) -> None:
        self.first = code.decode().partition("\n")[0]

    def launch(
        self,
        grid: tuple[int, int, int],
        arguments: Sequence[Any],
        threads: int | None = None,
        memory: Sequence[Any] = (),
    ) -> None:
        LAUNCHES.append((self.first, grid, list(arguments)))

    def prepare(
        self,
        grid: tuple[int, int, int],
        arguments: Sequence[Any],
        threads: int | None = None,
        memory: Sequence[Any] = (),
    ) -> Callable[[], object]:
        return lambda: self.launch(grid, arguments)


class ToyImage:
    """What the toy's loader answers."""

    def __init__(self, image: Image) -> None:
        self.kernels: Mapping[str, ToyKernel] = {"scale": ToyKernel(image.object_code)}


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> Target:
    row = Target("toy", "prints names", "", f"{__name__}:HOOKS", f"{__name__}:ToyImage")
    monkeypatch.setitem(TARGETS, "toy", row)
    monkeypatch.setenv("TILEWRIGHT_CACHE_SIZE", "0")
    LAUNCHES.clear()
    return row


def test_its_stages_follow_those_that_all_targets_share() -> None:
    asm = compile(TEXT, target="toy").asm
    assert list(asm) == ["tileir", "bytecode", "tileaa", "tileas", "names", "counts"]
    assert "nv_tileaa.func\n" in str(asm["names"])
    assert "nv_tileaa.func 1\n" in str(asm["counts"])


def test_stages_of_other_targets_are_named() -> None:
    with pytest.raises(MissingStageError, match="it is a stage of the target 'cpu'"):
        _ = compile(TEXT, target="toy").asm["llvm"]
    with pytest.raises(DiagnosticError, match="no stage of the target 'toy'"):
        compile('target triple = "x"\n', target="toy")


def test_its_options() -> None:
    loud = CompileOptions(loud=True)
    assert "nv_tileaa.func!\n" in str(compile(TEXT, target="toy", options=loud).asm["names"])
    with pytest.raises(
        DiagnosticError, match=r"TW0514.*no target has an option 'lout'\s+hint: did you mean 'loud'"
    ):
        CompileOptions(lout=True)
    with pytest.raises(DiagnosticError, match="'loud' is of type 'bool', got 'yes'"):
        CompileOptions(loud="yes")


def test_code_is_kept_by_what_the_target_says_that_it_is(toy: Target) -> None:
    keys = {cache_key(b"a", options, toy) for options in (CompileOptions(), CompileOptions(loud=True))}
    assert len(keys) == 2
    assert cache_key(b"a", CompileOptions(cpu="aarch64"), toy) in keys


def test_its_launcher_is_called() -> None:
    launch(TEXT, "scale", 2, [1.5], target="toy")
    artifact = compile(TEXT, target="toy")
    artifact.launch(3, [2.5])
    artifact.prepare((4, 1, 1), [3.5])()
    assert LAUNCHES == [
        ("builtin.module", (2, 1, 1), [1.5]),
        ("builtin.module", (3, 1, 1), [2.5]),
        ("builtin.module", (4, 1, 1), [3.5]),
    ]


def test_the_command_line_has_it() -> None:
    assert {"object", "names", "counts"} <= set(stages())
    shown = CliRunner().invoke(cli, ["compile", str(KERNEL), "--target=toy", "--emit=names"])
    assert shown.exit_code == 0, shown.output
    assert "nv_tileaa.func\n" in shown.output
    flags = click.command()(target_flags(lambda **_: None))
    assert [option.opts for option in flags.params] == [
        *(["--cpu"], ["--isolate"], ["--record-times"], ["--loud"], ["--max-instructions"])
    ]


def test_the_registry_has_it() -> None:
    registry = Registry()
    registry.run_all(steps())
    assert ("target", "toy", "prints names") in [row for row in registry.rows() if row[0] == "target"]


def test_driver_and_run_time_system_name_no_target_outside_of_the_tables() -> None:
    places = ("src/tilewright/driver/", "src/tilewright/runtime/")
    text = {relative(path): path.read_text(encoding="utf-8") for path in python_files("src")}
    named = {name for name in text if name.startswith(places) and "targets.cpu" in text[name]}
    table, passes = "src/tilewright/driver/target.py", "src/tilewright/driver/startup.py"
    assert named == {table, passes}
    assert [name for name in text if name.startswith(places) and '= "cpu"' in text[name]] == [table]

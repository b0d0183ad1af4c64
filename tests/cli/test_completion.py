"""Shell completion: options, files, and the names that options and arguments take."""

from __future__ import annotations

import click
import pytest
from click.shell_completion import ShellComplete, get_completion_class

from tilewright.cli.group import cli
from tilewright.cli.main import COMMANDS


def completed(line: str) -> list[str]:
    """What a shell offers at the end of a line behind ``tilewright``; files are the shell's."""
    *words, begun = line.split(" ")
    items = ShellComplete(cli, {}, "tilewright", "_TILEWRIGHT_COMPLETE").get_completions(words, begun)
    return [item.value if item.type == "plain" else f"<{item.type}>" for item in items]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ver", ["verify"]),
        ("compile --targ", ["--target"]),
        ("run --target c", ["cpu"]),
        ("run --target sm_90", ["sm_90", "sm_90a"]),
        ("run --target sim:sm_90", ["sim:sm_90", "sim:sm_90a"]),
        ("compile --emit=ptx,sas", ["ptx,sass"]),
        ("run --check mem", ["memcheck"]),
        ("run --check memcheck,race", ["memcheck,racecheck"]),
        ("compile --emit=tileir,tileaa,ll", ["tileir,tileaa,llvm"]),
        ("compile --cpu aar", ["aarch64"]),
        ("compile --pipeline canonicalize,cs", ["canonicalize,cse"]),
        ("compile --bytecode-version 13.", ["13.1", "13.2", "13.3", "13.4", "13.5"]),
        ("explain addf", ["addf"]),
        ("explain TW100", ["TW1000", "TW1001", "TW1002", "TW1003", "TW1004"]),
        ("explain cuda_tile.addf", ["cuda_tile.addf"]),
        ("inspect --kind dialect", ["dialects", "dialect_classes"]),
        ("registry --table dia", ["dialect"]),
        ("run --gpu sm_12", ["sm_120", "sm_121"]),
        ("--color a", ["auto", "always"]),
        ("opt --loop-inv", ["--loop-invariant-code-motion"]),
        ("opt -canonicali", ["-canonicalize"]),
        ("opt --mlir-print-ir-after-a", ["--mlir-print-ir-after-all"]),
        ("opt --mlir-print-ir-tree", ["--mlir-print-ir-tree-dir="]),
        ("opt kern", ["<file>"]),
        ("opt --mlir-timing-display=", ["list", "tree"]),
        ("opt --mlir-timing-display=tr", ["tree"]),
        ("opt -mlir-print-ir-after=canonicalize,cs", ["canonicalize,cse"]),
        ("opt --pass-pipeline=builtin.module(canonicalize,cs", ["builtin.module(canonicalize,cse"]),
        ("opt --mlir-print-ir-tree-dir=x", ["<dir>"]),
        ("opt -o=x", ["<file>"]),
        ("opt -o x", ["<file>"]),
        ("translate --bytecode-version=13.2", ["13.2"]),
        ("disasm --output=x", ["<file>"]),
        ("translate --mlir-to", ["--mlir-to-cudatilebc"]),
        ("translate kern", ["<file>"]),
        ("disasm --prin", ["--print-debug-info"]),
        ("run kern", ["<file>"]),
        ("ptx ass", ["assemble"]),
        ("ptx --reg", ["--registers"]),
        ("ptx kern", ["<file>"]),
        ("ptx assemble kern", ["<file>"]),
        ("run --array x", ["<file>"]),
    ],
)
def test_offers(line: str, expected: list[str]) -> None:
    assert completed(line)[: len(expected)] == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("opt", "--mlir-timing-display", "=", "tr"), "tree"),
        (("opt", "--mlir-timing-display", "="), "list"),
        (("run", "--target", "=", "in"), "interp"),
    ],
)
def test_bash_hands_over_the_sign_of_equality(
    words: tuple[str, ...], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMP_WORDS", " ".join(("tilewright", *words)))
    monkeypatch.setenv("COMP_CWORD", str(len(words)))
    shell = get_completion_class("bash")
    assert shell is not None
    assert expected in shell(cli, {}, "tilewright", "_TILEWRIGHT_COMPLETE").complete()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_completes_its_options(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    shown = [one for one in command.params if not getattr(one, "hidden", False)]
    options = [word for parameter in shown for word in parameter.opts if word.startswith("--")]
    assert set(options) <= set(completed(f"{name} --"))
    if not isinstance(command, click.Group):
        assert len(completed(f"{name} --")) > 0

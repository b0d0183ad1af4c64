"""A compilation prints its passes as one pipeline, which gives the same module when it is run on the input."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import tilewright
from tests.house.tree import ROOT
from tilewright.cli.group import cli
from tilewright.driver.artifact import Artifact
from tilewright.driver.stages import CompileOptions

KERNEL = ROOT / "tests" / "house" / "data" / "kernel.mlir"
OPTIONS = {
    "default": CompileOptions(),
    "no optimizer": CompileOptions(opt_level=0),
    "processor": CompileOptions(cpu="x86-64-v4", record_times=True),
    "checks": CompileOptions(checks="memcheck,racecheck,fpcheck"),
    "passes": CompileOptions("canonicalize,cuda_tile.entry(fuse-fma)"),
}
CODE = {"cpu": "llvm", "sm_80": "ptx", "sm_90a": "ptx"}


def run(pipeline: str, file: Path) -> str:
    """What `opt` prints of a pipeline on a file."""
    done = CliRunner().invoke(cli, ["opt", str(file), f"--pass-pipeline={pipeline}"])
    assert done.exit_code == 0, done.output
    return done.stdout


def continued(text: str, folder: Path, target: str, options: CompileOptions) -> Artifact:
    """A compilation that begins with the result of `opt`."""
    file = folder / "kernel.llvm.mlir"
    file.write_text(text)
    rest = CompileOptions(of_target=options.of_target)
    return tilewright.compile(file, target=target, options=rest)


@pytest.mark.parametrize(
    ("target", "name"),
    [*(("cpu", name) for name in OPTIONS), ("sm_80", "default"), ("sm_90a", "no optimizer")],
)
def test_opt_runs_the_printed_pipeline(target: str, name: str, tmp_path: Path) -> None:
    options, stage = OPTIONS[name], CODE[target]
    artifact = tilewright.compile(KERNEL, target=target, options=options)
    code = artifact.asm[stage]
    text = run(artifact.pipeline, KERNEL)
    assert continued(text, tmp_path, target, options).asm[stage] == code


def test_pipelines_lead_to_a_stage() -> None:
    artifact = tilewright.compile(KERNEL)
    assert artifact.pipeline == "builtin.module()"
    text = artifact.asm["tileas"]
    assert artifact.pipeline.endswith("convert-tileaa-to-tileas)")
    assert run(artifact.pipeline, KERNEL) == text


def test_the_command_line_prints_them() -> None:
    def printed(*more: str) -> str:
        done = CliRunner().invoke(cli, ["compile", str(KERNEL), "--print-pipeline", *more])
        assert done.exit_code == 0, done.output
        return done.stdout

    assert printed("--emit=tileir") == "builtin.module()\n"
    assert printed("--emit=llvm").endswith("convert-nv-tileas-to-llvm,split-long-functions)\n")
    assert "processor=x86-64-v3" in printed("--emit=llvm", "--cpu=x86-64-v3")
    assert printed("--emit=ptx", "--target=sm_80").endswith("nvvm-check-shared-memory)\n")


def test_several_files_have_several_pipelines(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        cli, ["compile", str(KERNEL), str(KERNEL), "--print-pipeline", "-o", str(tmp_path)]
    )
    assert done.exit_code == 2

"""Black-box runs of the vendor tools ``tileirdisasm`` and ``tileiras`` (test-only peers)."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.support.real.kept_answers import Answer, cache_directory, digest, kept

TOOL_VERSION = "13.5"
"""The tool release the recorded texts of the corpus come from."""

_TIMEOUT_SECONDS = 120


@functools.cache
def find_tool(name: str) -> Path | None:
    """The executable ``name`` from the installed NVIDIA wheels, else from PATH, else None."""
    for package in ("nvidia.cu13", "nvidia"):
        try:
            spec = importlib.util.find_spec(package)
        except ModuleNotFoundError:
            spec = None
        for root in (spec.submodule_search_locations or []) if spec else []:
            for candidate in sorted(Path(root).glob(f"**/bin/{name}")):
                if os.access(candidate, os.X_OK):
                    return candidate
    found = shutil.which(name)
    return Path(found) if found else None


def require_tool(name: str) -> Path:
    """As find_tool, but skips the running test when the tool is absent."""
    tool = find_tool(name)
    if tool is None:
        pytest.skip(f"{name} is not installed")
    return tool


asks_again = False
"""Whether tools are run though their answers are kept."""


def _run(tool: Path, arguments: list[str], bytecode: bytes) -> Answer:
    """Runs ``tool INPUT arguments`` in a fresh directory; the input's path reads ``input.bc`` in the answer."""
    release = tool_version(tool)
    name = digest(tool.name, release, arguments, bytecode)
    if release and not asks_again and name in kept():
        return kept()[name]
    entry = cache_directory() / f"{name}.json"
    if entry.exists():
        code, out, err = json.loads(entry.read_text())
        return code, out, err
    with tempfile.TemporaryDirectory() as directory:
        Path(directory, "input.bc").write_bytes(bytecode)
        done = subprocess.run(
            [str(tool), "input.bc", *arguments], cwd=directory, capture_output=True, timeout=_TIMEOUT_SECONDS
        )
    answer = (done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
    partial = entry.with_suffix(f".{os.getpid()}")
    partial.write_text(json.dumps(answer))
    partial.replace(entry)
    return answer


def disassemble(bytecode: bytes, debug: bool = False, arguments: tuple[str, ...] = ()) -> Answer:
    """What ``tileirdisasm`` answers to ``bytecode`` (``debug``: with ``-g``); skips when it is missing."""
    return _run(require_tool("tileirdisasm"), [*(["-g"] if debug else []), *arguments], bytecode)


def assemble(bytecode: bytes, arch: str, arguments: tuple[str, ...] = ()) -> Answer:
    """What ``tileiras`` answers to ``bytecode`` for GPU ``arch`` (such as ``sm_100``); skips when missing.

    The cubin itself is thrown away: only exit code and messages are of interest here.
    """
    return _run(require_tool("tileiras"), ["-o", "output.cubin", "--gpu-name", arch, *arguments], bytecode)


@functools.cache
def tool_version(tool: Path) -> str:
    """The release ``tool`` names itself, such as ``13.5``; empty when it names none."""
    done = subprocess.run([str(tool), "--version"], capture_output=True, timeout=_TIMEOUT_SECONDS)
    release = re.search(rb"release (\d+\.\d+)", done.stdout + done.stderr)
    return release[1].decode() if release else ""


def error_lines(stderr: str) -> list[str]:
    """The diagnostic lines of ``stderr`` in order, without ``error:``; other lines as they are."""
    return [line.strip().removeprefix("error: ") for line in stderr.splitlines() if line.strip()]

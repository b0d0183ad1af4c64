"""A shell that remembers: each command begins in the folder and with the variables that the one before it left."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

LIMIT = 900.0
"""Seconds that a command may take."""
_OURS = (
    "PYTHONPATH",
    "VIRTUAL_ENV",
    "PYTHONHOME",
    "GITHUB_ACTIONS",
    "MAKEFLAGS",
    "MAKELEVEL",
    "MAKEOVERRIDES",
)
"""Variables of the process that walks, which a newcomer does not have."""


@dataclass(frozen=True)
class Answer:
    """What a command did: its exit status, what it printed on both streams, and seconds."""

    status: int
    printed: str
    seconds: float


@dataclass
class Shell:
    """A shell of the newcomer, with the folder and the variables that it is in."""

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)

    def run(self, command: str, limit: float = LIMIT, typed: str = "") -> Answer:
        """Run a command in bash, which reads `typed` from its terminal.  A command that takes longer than the limit is ended,
        and has the status 124.
        """
        with tempfile.TemporaryDirectory() as folder:
            left = Path(folder, "left")
            script = f'{command}\nstatus=$?\n{{ pwd -P; env -0; }} > "{left}"\nexit $status\n'
            began = time.monotonic()
            status, printed = self._bash(script, limit, typed)
            seconds = time.monotonic() - began
            if left.exists():
                self._go_on(left.read_text(encoding="utf-8"))
        return Answer(status, printed, seconds)

    def _bash(self, script: str, limit: float, typed: str) -> tuple[int, str]:
        process = subprocess.Popen(
            ["bash", "-c", script],
            cwd=self.folder,
            env=self.variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            printed, _ = process.communicate(typed, timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            printed, _ = process.communicate()
            return 124, f"{printed}\nended after {limit:.0f} s"
        return process.returncode, printed

    def _go_on(self, left: str) -> None:
        folder, _, rest = left.partition("\n")
        self.folder = Path(folder)
        pairs = (text.partition("=") for text in rest.split("\0") if text)
        self.variables = {name: value for name, _, value in pairs if name not in ("_", "SHLVL")}


def variables(home: Path, given: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the variables of a newcomer: without this environment of Python, with caches of their own.

    Installers keep their caches, since they only save time.
    """
    own = Path(sys.prefix, "Scripts" if sys.platform == "win32" else "bin")
    tools = home / "tools"
    tools.mkdir(parents=True, exist_ok=True)
    for name in ("uv", "uvx"):
        program = shutil.which(name, path=os.pathsep.join([str(own), given["PATH"]]))
        if program is not None:
            (tools / name).symlink_to(program)
    path = [part for part in given["PATH"].split(os.pathsep) if not _is_of_an_environment(Path(part))]
    kept = {name: value for name, value in given.items() if name not in _OURS and "TILEWRIGHT" not in name}
    caches = Path(given.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return {
        **kept,
        "PATH": os.pathsep.join([str(tools), *path]),
        "XDG_CACHE_HOME": str(home / "cache"),
        "PIP_CACHE_DIR": given.get("PIP_CACHE_DIR", str(caches / "pip")),
        "UV_CACHE_DIR": given.get("UV_CACHE_DIR", str(caches / "uv")),
    }


def _is_of_an_environment(folder: Path) -> bool:
    return (folder.parent / "pyvenv.cfg").exists()

"""The processes of the peers, from the side of the one who asks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from benchmarks.cpu_peers import OURS

ROOT = Path(__file__).parent.parent.parent


class PeerProcess:
    """A peer in a process of its own, pinned to processors; ``root`` is the checkout that it runs."""

    def __init__(
        self, name: str, processors: Sequence[int], python: str, target: str = "cpu", root: Path = ROOT
    ) -> None:
        self.name = name
        self._process = _start(name, processors, sys.executable if name == OURS else python, target, root)
        self.missing: str | None = self._read().get("missing")

    def ask(self, do: str, **arguments: Any) -> dict[str, Any]:
        """The answer to a request."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"do": do, **arguments}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            return self._ended()
        return self._read()

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def __enter__(self) -> PeerProcess:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.close()

    def _read(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        text = self._process.stdout.readline()
        return json.loads(text) if text else self._ended()

    def _ended(self) -> dict[str, Any]:
        status = self._process.wait()
        self.missing = f"its process ended with status {status}"
        return {"failed": self.missing, "missing": self.missing}


def _start(
    name: str, processors: Sequence[int], python: str, target: str, root: Path
) -> subprocess.Popen[str]:
    listed = ",".join(map(str, processors))
    command = [python, "-m", "benchmarks.cpu_peers.worker", name, str(len(processors)), listed]
    places = [str(root), *([str(root / "src")] if name == OURS else [])]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(places),
        "TILEWRIGHT_BENCHMARK_TARGET": target,
        "JAX_PLATFORMS": "cpu",
    }
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        text=True,
        cwd=root,
    )

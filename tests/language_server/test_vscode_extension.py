"""The extension of VS Code: what it starts and asks, with a stand-in for VS Code in Node.js.

`python tools/try_editor.py` tries it in the editor itself.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.house.tree import ROOT
from tilewright.version import __version__

EXTENSION = ROOT / "editors" / "vscode"
HARNESS = Path(__file__).with_name("data") / "extension.js"


def manifest() -> dict[str, Any]:
    return json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))


def test_the_extension_starts_the_server_and_the_debugger(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node.js is installed")
    program = tmp_path / ".venv" / "bin" / "tilewright"
    program.parent.mkdir(parents=True)
    program.touch()
    output = subprocess.run([node, HARNESS, EXTENSION, tmp_path], capture_output=True, text=True, check=True)
    done = json.loads(output.stdout)
    assert done["server"] == {"command": str(program), "args": ["lsp"]}
    assert done["options"]["initializationOptions"] == {
        "onSave": "nothing",
        "checks": "all",
        "checkSeconds": 300,
        "proveSeconds": 60,
    }
    assert done["requests"] == [
        {"command": "tilewright.check", "arguments": ["file:///race.py"]},
        {"command": "tilewright.prove", "arguments": ["file:///race.py"]},
        {"command": "tilewright.stages", "arguments": ["file:///race.py", 6]},
        {"command": "tilewright.showStage", "arguments": ["file:///race.py", 6, "llvm"]},
    ]
    assert done["configuration"] == {
        "type": "tilewright",
        "request": "launch",
        "name": "Debug kernels",
        "program": str(tmp_path / "race.py"),
        "cwd": str(tmp_path),
    }
    assert done["adapter"] == {"command": str(program), "args": ["dap"], "options": {"cwd": str(tmp_path)}}
    assert done["refused"]
    assert done["shown"][:2] == ["saved", "saved"]
    assert done["shown"][-1] == "stopped"
    assert set(done["commands"]) == {one["command"] for one in manifest()["contributes"]["commands"]}


def test_the_manifest_is_of_this_version_and_has_the_fields_of_the_guide() -> None:
    made = manifest()
    assert made["version"] == __version__
    (debugger,) = made["contributes"]["debuggers"]
    fields = set(debugger["configurationAttributes"]["launch"]["properties"]) - {"cwd"}
    guide = (ROOT / "docs" / "guides" / "debugger.md").read_text(encoding="utf-8")
    rows = [
        line for line in guide.partition("| field of a launch |")[2].splitlines() if line.startswith("| `")
    ]
    assert fields == {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert (EXTENSION / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()

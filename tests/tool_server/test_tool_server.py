"""A client finds, explains and mends a race; what leads out of the folder, or has no end, is refused."""

from __future__ import annotations

import json
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.golden import compare
from tests.house.documents import blocks
from tests.house.tree import ROOT

anyio = pytest.importorskip("anyio")
mcp = pytest.importorskip("mcp")
pytest.importorskip("cuda.tile")

from tilewright.tool_server.child import ToolLimits  # noqa: E402
from tilewright.tool_server.folder import Folder  # noqa: E402
from tilewright.tool_server.server import make_server  # noqa: E402
from tilewright.tool_server.tools import TOOLS  # noqa: E402

RACE = next(block.text for block in blocks((ROOT / "README.md").read_text()) if block.file == "race.py")
RACING = "ct.store(out, 0, ct.load(out, 0, shape=(1,)) + part)"
MENDED = "ct.atomic_add(out, 0, part)"
ENDLESS = """cuda_tile.module @m {
  entry @endless() {
    %true = constant <i1: true> : tile<i1>
    loop {
      if %true { continue }
      break
    }
  }
}
"""
Call = Callable[..., Awaitable[Any]]


def talk(folder: Path, exchange: Callable[[Call], Awaitable[None]], limits: ToolLimits | None = None) -> str:
    """Let a client in this process call tools. Return what both said, with the durations left out."""
    said: list[str] = []

    async def session() -> None:
        async with mcp.Client(make_server(Folder.at(str(folder)), limits or ToolLimits())) as client:

            async def call(name: str, /, **arguments: Any) -> Any:
                result = await client.call_tool(name, arguments)
                (text,) = result.content
                said.append(f"> {name} {json.dumps(arguments)}\n{text.text}\n")
                return result

            await exchange(call)

    anyio.run(session)
    return "\n".join(said)


def test_a_client_finds_explains_and_mends_the_race_of_the_readme(tmp_path: Path, bless: bool) -> None:
    program = tmp_path / "race.py"
    program.write_text(RACE)

    async def exchange(call: Call) -> None:
        found = (await call("check", file="race.py", checks="racecheck", target="interp")).structured_content
        finding = found["findings"][0]
        assert (finding["code"], finding["line"]) == ("TW0406", 8)
        assert "atomic" in (await call("explain", name=finding["code"])).content[0].text
        lines = program.read_text().splitlines(keepends=True)
        lines[finding["line"] - 1] = lines[finding["line"] - 1].replace(RACING, MENDED)
        program.write_text("".join(lines))
        mended = await call("check", file="race.py", checks="racecheck", target="interp")
        assert (mended.structured_content["status"], mended.structured_content["findings"]) == (0, [])

    compare(Path(__file__).parent / "data" / "race.txt", talk(tmp_path, exchange), bless=bless)


def test_files_outside_of_the_folder_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "secret.mlir").write_text("module {}")
    (folder / "link.mlir").symlink_to(tmp_path / "secret.mlir")
    (folder / "up").symlink_to(tmp_path)
    (folder / "round").symlink_to(folder / "round")
    refused = ("../secret.mlir", str(tmp_path / "secret.mlir"), "link.mlir", "up/secret.mlir", "a\0b.mlir")

    async def exchange(call: Call) -> None:
        for name in refused:
            result = await call("check", file=name)
            assert result.is_error, name
            assert [one["code"] for one in result.structured_content["findings"]] == ["TW1700"], name
        for values in (["../in.npy"], ["in.npy:up/out.npy"], ["link.mlir"]):
            assert "TW1700" in (await call("run", file="kernel.mlir", values=values)).content[0].text
        for words in (["--data=/etc/passwd"], ["up"], [".."]):
            assert "TW1700" in (await call("run", file="program.py", arguments=words)).content[0].text
        assert "TW1700" in (await call("compile", file="kernel.mlir", output="up/out")).content[0].text

    talk(folder, exchange)


def test_wrong_requests_say_what_is_right(tmp_path: Path) -> None:
    async def exchange(call: Call) -> None:
        for name, arguments in (("chek", {}), ("check", {}), ("check", {"file": 3}), ("run", {"fil": "a"})):
            result = await call(name, **arguments)
            assert result.is_error
            assert "TW1701" in result.content[0].text

    talk(tmp_path, exchange)


GREEDY = """
import os, time
try:
    bytes(1 << 33)
except MemoryError:
    print("no memory")
print("x" * 100_000, flush=True)
for _ in range(9):
    os.fork() or time.sleep(60)
"""


def test_an_endless_kernel_is_stopped(tmp_path: Path) -> None:
    (tmp_path / "endless.mlir").write_text(ENDLESS)

    async def exchange(call: Call) -> None:
        stopped = await call("run", file="endless.mlir", target="interp")
        assert [one["code"] for one in stopped.structured_content["findings"]] == ["TW1702"]
        assert "0.5 seconds" in stopped.content[0].text

    talk(tmp_path, exchange, ToolLimits(seconds=0.5))


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="memory and processes are limited on Linux")
def test_memory_processes_and_output_are_limited(tmp_path: Path) -> None:
    (tmp_path / "greedy.py").write_text(GREEDY)

    async def exchange(call: Call) -> None:
        said = (await call("run", file="greedy.py")).content[0].text
        assert "TW1702" in said
        assert "4 processes" in said
        assert "no memory\nxxxx" in said
        assert "bytes are left out" in said
        assert len(said) < 2000

    talk(tmp_path, exchange, ToolLimits(memory=1024, processes=4, characters=1000))
    assert not [one for one in os.listdir("/proc") if one.isdigit() and _folder(one) == str(tmp_path)]


def _folder(process: str) -> str:
    try:
        return os.readlink(f"/proc/{process}/cwd")
    except OSError:
        return ""


def test_the_tools_are_declared(tmp_path: Path) -> None:
    async def list_tools() -> list[Any]:
        async with mcp.Client(make_server(Folder.at(str(tmp_path)), ToolLimits())) as client:
            return (await client.list_tools()).tools

    tools = anyio.run(list_tools)
    assert [tool.name for tool in tools] == [*TOOLS]
    assert {"check", "run", "compile", "stage", "simulate", "compare", "prove", "explain"} == set(TOOLS)
    assert all(tool.input_schema["required"] for tool in tools)


def words(tmp_path: Path, tool: str, **arguments: Any) -> str:
    return " ".join(TOOLS[tool].words(arguments, Folder.at(str(tmp_path))))


def test_tools_become_commands(tmp_path: Path) -> None:
    verified = words(tmp_path, "check", file="a.mlir")
    assert verified == "verify --json a.mlir"
    checked = words(tmp_path, "check", file="a.mlir", values=["ones(4, f32)", "2"], grid="4")
    assert checked == "run --json --target cpu --check all --grid 4 --arg ones(4, f32) --arg 2 a.mlir"
    assert words(tmp_path, "check", file="a.py", arguments=["-n", "3"]).endswith("--check all a.py -n 3")
    assert words(tmp_path, "stage", file="a.py", stage="ptx") == "explore --stage ptx --target cpu a.py"
    assert words(tmp_path, "compile", file="a.mlir", stage="asm").endswith(
        "--emit asm --target cpu -o build a.mlir"
    )
    assert words(tmp_path, "compare", file="a.py", arguments=["3"]) == "compare --target cpu a.py 3"
    assert words(tmp_path, "prove", file="a.py", arguments=["3"]) == "verify --prove -- a.py 3"
    assert words(tmp_path, "simulate", file="a.py", gpu="sm_80") == "run --json --target sim:sm_80 a.py"
    simulated = words(tmp_path, "simulate", file="a.ptx", entry="k", block="64")
    assert simulated == "sim --entry k --grid 1 --block 64 a.ptx"

"""The library that stands in for the CUDA runtime is built once."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tilewright.cuda_programs import standin


def test_of_several_that_need_the_library_one_builds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lock of a file holds between threads as between processes, if each opens the file."""
    built = list[str]()

    def build(compiler: str, headers: Path, folder: Path) -> None:
        built.append(compiler)
        folder.mkdir(parents=True, exist_ok=True)
        time.sleep(0.05)
        (folder / standin.LIBRARY).touch()

    monkeypatch.setattr(standin, "host_compiler", lambda: "c++")
    monkeypatch.setattr(standin, "header_folders", lambda header: [tmp_path])
    monkeypatch.setattr(standin, "_folder", lambda headers: tmp_path / "cache" / "folder")
    monkeypatch.setattr(standin, "_build", build)
    with ThreadPoolExecutor(4) as pool:
        found = [pool.submit(standin.standin) for _ in range(4)]
    assert {one.result() for one in found} == {tmp_path / "cache" / "folder"}
    assert built == ["c++"]

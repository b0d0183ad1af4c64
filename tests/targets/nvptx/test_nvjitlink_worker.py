"""The process that calls nvJitLink, with a stand-in for the library: what it is asked, and what is done with the answers."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tilewright.targets.nvptx.assemble import nvjitlink_worker

HANDLE = 4096
OUTPUTS = {"ErrorLog": b"wrong\0", "InfoLog": b"3 registers\0", "LinkedCubin": b"\x7fELF cubin"}


class Library:
    """What `ctypes` finds in a library: functions with or without a version in their names, and the calls so far."""

    def __init__(self, *, versioned: bool, statuses: dict[str, int]) -> None:
        self.calls: list[tuple[Any, ...]] = []
        names = (
            "Create",
            "AddData",
            "Complete",
            *(f"Get{one}{end}" for one in OUTPUTS for end in ("", "Size")),
        )
        for name in names:
            spelt = f"__nvJitLink{name}_13_2" if versioned else f"nvJitLink{name}"
            setattr(self, spelt, self._function(name, statuses.get(name, 0)))

    def _function(self, name: str, status: int) -> Callable[..., int]:
        def call(*arguments: Any) -> int:
            if name == "Create":
                handle, count, words = arguments
                self.calls.append((name, count, list(words)))
                handle._obj.value = HANDLE
            elif name == "AddData":
                handle, kind, text, size, source = arguments
                self.calls.append((name, handle.value, kind, text, size, source))
            elif name == "Complete":
                self.calls.append((name, arguments[0].value))
            else:
                self._answer(name, *arguments)
            return status

        return call

    def _answer(self, name: str, handle: Any, place: Any) -> None:
        assert handle.value == HANDLE
        data = OUTPUTS[name.removeprefix("Get").removesuffix("Size")]
        if name.endswith("Size"):
            place._obj.value = len(data)
        else:
            ctypes.memmove(place, data, len(data))

    def nvJitLinkVersion(self, major: Any, minor: Any) -> int:
        """Answer version 13.2."""
        major._obj.value, minor._obj.value = 13, 2
        return 0


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    source = tmp_path / "a.ptx"
    source.write_bytes(b".version 8.0\n")
    return source, tmp_path / "a.cubin"


def run(monkeypatch: pytest.MonkeyPatch, files: tuple[Path, Path], library: Library) -> int:
    opened: list[str] = []
    monkeypatch.setattr(nvjitlink_worker.ctypes, "CDLL", lambda name: opened.append(name) or library)
    status = nvjitlink_worker.main(["libnvJitLink.so", *map(str, files), "-arch=sm_90", "-O3"])
    assert opened == ["libnvJitLink.so"]
    return status


@pytest.mark.parametrize("versioned", [False, True])
def test_a_text_is_assembled(
    versioned: bool,
    files: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    library = Library(versioned=versioned, statuses={})
    assert run(monkeypatch, files, library) == 0
    text = b".version 8.0\n\0"
    assert library.calls == [
        ("Create", 2, [b"-arch=sm_90", b"-O3"]),
        ("AddData", HANDLE, 2, text, len(text), str(files[0]).encode()),
        ("Complete", HANDLE),
    ]
    assert files[1].read_bytes() == OUTPUTS["LinkedCubin"]
    assert capsys.readouterr() == ("", "wrong\n3 registers\n")


@pytest.mark.parametrize(
    ("refuses", "asked"),
    [("AddData", ["Create", "AddData"]), ("Complete", ["Create", "AddData", "Complete"])],
)
def test_a_text_is_refused(
    refuses: str,
    asked: list[str],
    files: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The logs say why; there is no cubin."""
    library = Library(versioned=True, statuses={refuses: 4})
    assert run(monkeypatch, files, library) == 1
    assert [call[0] for call in library.calls] == asked
    assert not files[1].exists()
    assert capsys.readouterr().err == "wrong\n3 registers\n"


@pytest.mark.parametrize(
    ("failing", "status", "words"),
    [
        ("Create", 17, "nvJitLinkCreate answers 17: unsupported architecture"),
        ("Create", 1, "nvJitLinkCreate answers 1: an option that it does not know"),
        ("Create", 5, "nvJitLinkCreate answers 5: no reason"),
    ],
)
def test_no_handle(
    failing: str,
    status: int,
    words: str,
    files: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    library = Library(versioned=False, statuses={failing: status})
    assert run(monkeypatch, files, library) == 1
    assert capsys.readouterr().err == f"nvjitlink fatal : {words}\n"


def test_no_library(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert nvjitlink_worker.main([str(files[1] / "none.so"), *map(str, files)]) == 1
    assert capsys.readouterr().err.startswith("nvjitlink fatal : ")


def test_an_output_of_nothing(monkeypatch: pytest.MonkeyPatch, files: tuple[Path, Path]) -> None:
    monkeypatch.setitem(OUTPUTS, "LinkedCubin", b"")
    assert run(monkeypatch, files, Library(versioned=False, statuses={})) == 0
    assert files[1].read_bytes() == b""

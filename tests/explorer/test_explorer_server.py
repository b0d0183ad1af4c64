"""The page on localhost: made anew when the file is saved, and refused to anybody who asks for another host."""

from __future__ import annotations

import http.client
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.explorer.test_explored_programs import RACE
from tilewright.cli.main import main
from tilewright.explorer import codes
from tilewright.explorer.server import LivePage, serve
from tilewright.ir.diagnostic import failure


@contextmanager
def served(page: LivePage) -> Iterator[int]:
    """A page on a free port, for the length of a ``with`` block."""
    ended, begun, said = threading.Event(), threading.Event(), list[str]()

    def say(text: str) -> None:
        said.append(text)
        begun.set()

    thread = threading.Thread(target=serve, args=(page, 0, say, ended.is_set))
    thread.start()
    try:
        assert begun.wait(10)
        yield int(said[0].split(":")[2].partition("/")[0])
    finally:
        ended.set()
        thread.join(10)


def asked(port: int, path: str, host: str = "", method: str = "GET") -> tuple[int, str]:
    """Status and text of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path, headers={"Host": host} if host else {})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_only_localhost_is_answered_and_only_the_page(tmp_path: Path) -> None:
    file = tmp_path / "k.py"
    file.write_text("1")
    with served(LivePage(file, lambda: "the page", print)) as port:
        assert asked(port, "/") == (200, "the page")
        assert asked(port, "/version") == (200, "1")
        assert asked(port, "/", "evil.example")[0] == 403
        assert asked(port, "/../etc/passwd")[0] == 404


def test_headers_alone_are_answered(tmp_path: Path) -> None:
    file = tmp_path / "k.py"
    file.write_text("1")
    with served(LivePage(file, lambda: "the page", print)) as port:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("HEAD", "/")
        answer = connection.getresponse()
        assert (answer.status, answer.read(), answer.headers["Content-Length"]) == (200, b"", "8")
        assert asked(port, "/", "evil.example", "HEAD")[0] == 403
        assert asked(port, "/nowhere", method="HEAD")[0] == 404


def test_a_program_that_ends_before_its_first_launch_has_a_page_that_says_so(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tilewright.explorer.html._asset", lambda file: "")
    file, page = tmp_path / "k.py", tmp_path / "page.html"
    file.write_text("import sys\nsys.exit(3)\n")
    with pytest.raises(SystemExit) as ended:
        main(["explore", "-o", str(page), str(file)])
    assert ended.value.code == 3
    assert page.exists()
    assert capfd.readouterr().err.split("\n")[-2:] == [f"wrote {page}", ""]


def test_the_command_says_what_it_does_and_where_the_page_is(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tilewright.explorer.html._asset", lambda file: "")
    (tmp_path / "programs").mkdir()
    file = tmp_path / "programs" / "k.py"
    file.write_text(RACE.replace("(2,)", "(1,)"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["explore", "programs/k.py"])
    assert ended.value.code == 0
    assert capfd.readouterr().err.splitlines() == [
        "running programs/k.py",
        "kernel 1, 'add_up': interpreting it for the map of its accesses",
        "kernel 1, 'add_up': running it under all checks",
        "compiling kernel 1 of 1, 'add_up'",
        f"wrote {file.with_suffix('.html')}",
    ]


def test_a_saved_file_is_a_new_version_and_one_that_fails_is_not(tmp_path: Path) -> None:
    file, said = tmp_path / "k.py", list[str]()
    file.write_text("1")

    def make() -> str:
        if file.read_text() == "broken":
            raise failure(codes.NOTHING_TO_EXPLORE, "it does not compile", hint="mend it")
        return file.read_text()

    page = LivePage(file, make, said.append)
    for text, stamp in (("2", 1), ("broken", 2), ("3", 3)):
        file.write_text(text)
        os.utime(file, ns=(stamp, stamp))
        page.look()
        page.look()
    assert (page.version, page.text) == (3, "3")
    assert ["it does not compile" in text for text in said] == [True]

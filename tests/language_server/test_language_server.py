"""The server speaks the protocol, as an editor hears it."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from tests.language_server.protocol import END, INITIALIZE, answers, conversation, framed, opened

URI = "file:///k.mlir"
TEXT = "cuda_tile.module @m {\nentry @f() {\nreturn\n}\n}\n"


def test_an_editor_gets_problems_pages_definitions_and_indentation() -> None:
    where = {"textDocument": {"uri": URI}}
    changed = {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": TEXT}]}
    said = conversation(
        opened(URI, TEXT.replace("return", "retur")),
        {"method": "textDocument/didChange", "params": changed},
        {
            "id": 2,
            "method": "textDocument/hover",
            "params": {**where, "position": {"line": 2, "character": 1}},
        },
        {
            "id": 3,
            "method": "textDocument/definition",
            "params": {**where, "position": {"line": 1, "character": 7}},
        },
        {
            "id": 4,
            "method": "textDocument/formatting",
            "params": {**where, "options": {"tabSize": 2, "insertSpaces": True}},
        },
    )
    results: dict[int, Any] = {message["id"]: message.get("result") for message in said if "id" in message}
    published = [message["params"]["diagnostics"] for message in said if "id" not in message]
    assert [[problem["source"] for problem in problems] for problems in published] == [["tilewright"], []]
    assert "return" in results[2]["contents"]["value"]
    assert results[3]["range"]["start"] == {"line": 1, "character": 6}
    assert results[4][0]["newText"].split("\n")[2] == "    return"


def test_characters_are_counted_in_the_units_of_the_editor() -> None:
    text = 'module attributes {a = "\U0001d518\U0001d518"} { oops }\n'
    (problems,) = [one["params"] for one in conversation(opened(URI, text)) if "params" in one]
    (problem,) = problems["diagnostics"]
    begin = len(text[: text.index("oops")].encode("utf-16-le")) // 2
    assert problem["range"]["start"]["character"] == begin
    assert problem["range"]["end"]["character"] == begin + 4


def test_a_document_that_was_closed_has_no_problems_and_no_answers() -> None:
    where = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}
    said = conversation(
        opened(URI, "oops"),
        {"method": "textDocument/didClose", "params": {"textDocument": {"uri": URI}}},
        {"id": 2, "method": "textDocument/hover", "params": where},
        {"id": 3, "method": "textDocument/definition", "params": where},
    )
    published = [len(one["params"]["diagnostics"]) for one in said if "params" in one]
    assert published == [1, 0]
    results = {one["id"]: one for one in said if one.get("id") in (2, 3)}
    assert [results[number].get("result", "none given") for number in (2, 3)] == [None, None]


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_every_text_that_is_being_typed_gets_an_answer(line_end: str) -> None:
    text = TEXT.replace("\n", line_end)
    typed = [text[:length] for length in range(0, len(text), 4)] + ["\0", "{" * 3000, '%0 = "', "// -----"]
    changes = [
        {
            "method": "textDocument/didChange",
            "params": {"textDocument": {"uri": URI, "version": at + 2}, "contentChanges": [{"text": one}]},
        }
        for at, one in enumerate(typed)
    ]
    said = conversation(opened(URI, text), *changes)
    assert len([one for one in said if "params" in one]) == 1 + len(typed)
    assert not [one for one in said if "error" in one]


def test_the_command_serves_and_ends_in_peace() -> None:
    pytest.importorskip("pygls")
    done = subprocess.run(
        [sys.executable, "-m", "tilewright", "lsp"],
        input=framed(*INITIALIZE, *END),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert [one["id"] for one in answers(done.stdout)] == [1, 99]

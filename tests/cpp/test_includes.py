"""The headers that a C++ file includes."""

from __future__ import annotations

from pathlib import Path

from tilewright.cpp.includes import headers_of


def written(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.h").write_text(text, encoding="utf-8")


def test_headers_of_headers(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    written(tmp_path, a='#include "b.h"\n#include <cuda_tile.h>\n', b='  #  include "a.h"\n')
    written(tmp_path / "inner", c='#include "d.h"', d="")
    text = '#include "a.h"\n#include <c.h>\n#include "missing.h"\n'
    found = headers_of(text, tmp_path, [str(tmp_path / "inner")])
    assert found is not None
    assert [path.name for path in found] == ["a.h", "b.h", "c.h", "d.h"]


def test_a_macro_names_any_header(tmp_path: Path) -> None:
    assert headers_of("#include HEADER\n", tmp_path, []) is None


def test_angled_headers_are_not_beside_the_file(tmp_path: Path) -> None:
    written(tmp_path, a="")
    assert headers_of("#include <a.h>\n", tmp_path, []) == []

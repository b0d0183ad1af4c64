"""Pages, C headers and the command: what is derived from the declarations."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.golden import compare
from tests.house.tree import ROOT
from tilewright.abi.c_header import c_name, header
from tilewright.abi.catalogue import CATALOGUE
from tilewright.abi.documentation import layout_text, pages
from tilewright.abi.layout import Profile
from tilewright.cli.commands.abi import PROFILES
from tilewright.cli.group import cli
from tilewright.ir.diagnostic import DiagnosticError

FOLDER = ROOT / "docs" / "reference" / "abi"
EVERY_PROFILE = pytest.mark.parametrize("profile", Profile, ids=str)


def test_the_committed_pages(bless: bool) -> None:
    found = pages()
    for name, text in found.items():
        compare(FOLDER / name, text, bless=bless)
    assert sorted(path.name for path in FOLDER.glob("*.md")) == sorted(found)


def test_every_layout_is_on_a_page() -> None:
    text = "\n".join(pages().values())
    for entry in CATALOGUE.values():
        assert layout_text(entry) in text
        for struct in entry.structs.values():
            for field in struct.fields:
                assert (
                    f"| `{field.offset:#05x}` | `{field.width}` | `{field.name}`".replace("|  ", "") in text
                )


@EVERY_PROFILE
def test_the_header_compiles_and_its_assertions_hold(profile: Profile, tmp_path: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler")
    source = tmp_path / "abi.c"
    source.write_text(header(CATALOGUE.values(), profile) + uses(profile), encoding="utf-8")
    done = subprocess.run(
        [compiler, "-std=c11", "-Wall", "-Werror", "-o", str(tmp_path / "abi"), str(source)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert subprocess.run([str(tmp_path / "abi")], timeout=60).returncode == 0


def uses(profile: Profile) -> str:
    """A program that reads bit fields of a header that Python encoded."""
    struct = CATALOGUE["operation"].structs[profile]
    values = {f.name: f.bits.mask // 3 for f in struct.stored if f.bits is not None}
    data = ", ".join(map(str, struct.encode(values)))
    name = c_name(struct)
    checks = " && ".join(
        f"{name.upper()}_{field.upper()}((const {name} *)data) == {value}u" for field, value in values.items()
    )
    return f"int main(void) {{ static const _Alignas(8) uint8_t data[] = {{{data}}}; return !({checks}); }}\n"


@EVERY_PROFILE
def test_one_name_is_one_struct(profile: Profile) -> None:
    names: dict[str, object] = {}
    for entry in CATALOGUE.values():
        if profile in entry.structs:
            struct = entry.structs[profile]
            assert names.setdefault(c_name(struct), struct) == struct


class TestCommand:
    def run(self, *arguments: str) -> str:
        result = CliRunner().invoke(cli, ["abi", *arguments], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.output

    def test_list(self) -> None:
        listed = self.run("list")
        assert all(name in listed for name in CATALOGUE)
        assert "tileiras-13.1: 72, mlir-upstream: 64" in listed

    def test_show(self) -> None:
        both = self.run("show", "operation")
        assert "0x040" in both
        assert both.count("### ") == 2
        assert self.run("show", "operation", "--profile", "mlir-upstream").count("### ") == 1
        with pytest.raises(DiagnosticError, match="TW1000"):
            self.run("show", "walk_frame", "--profile", "mlir-upstream")
        with pytest.raises(DiagnosticError, match="TW1000"):
            self.run("show", "opration")

    def test_profiles(self) -> None:
        assert list(map(str, Profile)) == list(PROFILES)
        assert "tw_operation" in self.run("header", "--profile", "mlir-upstream")

    @EVERY_PROFILE
    def test_images(self, profile: Profile, tmp_path: Path) -> None:
        source, core = tmp_path / "m.mlir", tmp_path / "m.core"
        source.write_text("func.func @f(%x: i32) -> i32 {\n  return %x : i32\n}\n")
        self.run("image", str(source), "-o", str(core), "--profile", str(profile))
        text = self.run("read", str(core))
        again = tmp_path / "again.mlir"
        again.write_text(text)
        self.run("image", str(again), "-o", str(core))
        assert self.run("read", str(core)) == text
        assert "return" in text

    def test_images_of_something_else(self, tmp_path: Path) -> None:
        from tilewright.abi.image.core_file import save
        from tilewright.abi.image.diagnostics import write_diagnostic
        from tilewright.ir.diagnostic import Diagnostic, Severity

        save(write_diagnostic(Diagnostic(Severity.NOTE, "n")), tmp_path / "d.core")
        with pytest.raises(DiagnosticError, match=r"TW1002.*holds no module, but: diagnostic"):
            self.run("read", str(tmp_path / "d.core"))

"""The commands that run public examples and libcu++'s tests: which programs they make and choose."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance import kernels_in_python, libcudacxx

CHAPTER = """\
Kernels
-------

.. doctest::

   >>> twice = cp.RawKernel(r'''
   ... extern "C" __global__ void twice() {}
   ... ''', 'twice')

.. code-block:: python

   x = cp.arange(3)

1. A step:

   .. code-block:: python

      code = "..."

      module = cp.RawModule(code=code)

   The end.
"""


def test_blocks_of_a_chapter_that_make_kernels_are_examples() -> None:
    assert kernels_in_python.examples_of(CHAPTER) == [
        ">>> twice = cp.RawKernel(r'''\n... extern \"C\" __global__ void twice() {}\n... ''', 'twice')\n\n",
        'code = "..."\n\nmodule = cp.RawModule(code=code)\n\n',
    ]


def test_examples_are_found_in_their_folders(tmp_path: Path) -> None:
    names = ("examples/gemm/sgemm.py", "docs/source/user_guide/kernel.rst")
    (changed, changes), *_ = kernels_in_python.CHANGES.items()
    for name, text in ((names[0], ""), (names[1], CHAPTER), (changed, "\n".join(old for old, _ in changes))):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    made = tmp_path / "made"
    made.mkdir()
    found = dict(kernels_in_python.found([tmp_path], made))
    assert found.pop(tmp_path / names[0]) == ("--m", "128", "--n", "64", "--k", "24")
    assert [path.name for path in found] == [Path(changed).name, "kernel_0.py", "kernel_1.py"]
    assert (made / Path(changed).name).read_text(encoding="utf-8") == "\n".join(new for _, new in changes)


def test_an_example_without_the_text_to_change_is_an_error(tmp_path: Path) -> None:
    (changed, _), *_ = kernels_in_python.CHANGES.items()
    (tmp_path / changed).parent.mkdir(parents=True)
    (tmp_path / changed).write_text("pass\n", encoding="utf-8")
    with pytest.raises(ValueError, match="has no"):
        list(kernels_in_python.found([tmp_path], tmp_path))


@pytest.mark.parametrize(
    ("text", "is_excluded"),
    [
        ("// UNSUPPORTED: force-tile", True),
        ("// UNSUPPORTED: msvc, nvrtc", False),
        ("// UNSUPPORTED: force-tile && !c++20", False),
        ("// UNSUPPORTED: clang && (!nvcc)", False),
        ("// REQUIRES: enable-tile || force-tile", False),
        ("// REQUIRES: long_tests", True),
        ("// XFAIL: *", True),
        ("int main(int, char**) { return 0; }", False),
    ],
)
def test_directives_of_the_suite_exclude_tests(text: str, is_excluded: bool) -> None:
    features = libcudacxx.FEATURES | libcudacxx.TILE
    assert bool(libcudacxx.unmet(text, features)) is is_excluded


def test_a_seed_draws_the_same_tests(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"{number}.pass.cpp").write_text("", encoding="utf-8")
    (tmp_path / "other.fail.cpp").write_text("", encoding="utf-8")
    first = libcudacxx.drawn(tmp_path, 5, 1)
    assert first == libcudacxx.drawn(tmp_path, 5, 1)
    assert len(first) == 5
    assert set(libcudacxx.drawn(tmp_path, 100, 1)) == {f"{number}.pass.cpp" for number in range(20)}


def test_a_command_line_has_the_options_of_the_test(tmp_path: Path) -> None:
    test = tmp_path / "a.pass.cpp"
    test.write_text("// ADDITIONAL_COMPILE_DEFINITIONS: ONE TWO=2\n", encoding="utf-8")
    words = libcudacxx.command(tmp_path, test, tmp_path / "program", is_simt=False)
    assert {"-DONE", "-DTWO=2", "-enable-tile", "-DCCCL_FORCE_TILE_TESTS"} <= set(words)
    assert "-enable-tile" not in libcudacxx.command(tmp_path, test, tmp_path / "program", is_simt=True)

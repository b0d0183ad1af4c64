"""C++ files with tile kernels at the doors; needs a C++ compiler of CUDA 13.3 or later."""

from __future__ import annotations

import base64
import gzip
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.cli.test_commands import Answer, tilewright as tilewright
from tilewright import DiagnosticError, cpp, launch
from tilewright.cpp import toolchain
from tilewright.cpp.options import CppOptions
from tilewright.cpp.toolchain import find

TOOLS = find()
COMPILERS = [name for name in ("nvrtc", "nvcc") if getattr(TOOLS, name) is not None]
pytestmark = pytest.mark.skipif(not COMPILERS, reason="no C++ compiler for tile kernels")

SCALE = """\
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <typename T, int N>
__tile_global__ void scale(const T* __restrict__ x, T* __restrict__ out, T factor, int count) {
    auto column = static_cast<int>(ct::bid().x) * N + ct::iota<ct::tile<int, ct::shape<N>>>();
    auto mask = column < count;
    auto row = ct::load_masked(x + column, mask, ct::zeros<ct::tile<T, ct::shape<N>>>());
    ct::store_masked(out + column, row * factor, mask);
}
"""
INSTANCE = "template __tile_global__ void scale<float, 256>(const float*, float*, float, int);\n"
Command = Callable[..., Answer]


@pytest.fixture(params=COMPILERS)
def options(request: pytest.FixtureRequest) -> CppOptions:
    return CppOptions(compiler=request.param)


def file(folder: Path, text: str, name: str = "scale.cu") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def arrays() -> tuple[np.ndarray, np.ndarray]:
    return np.arange(300, dtype=np.float32), np.zeros(300, np.float32)


CONSTANTS = """\
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using One = ct::tile<float, ct::shape<1>>;
__tile__ void put(float* x, float value) {
    ct::store(x + ct::iota<ct::tile<int, ct::shape<1>>>(), ct::full<One>(value));
}
__tile_global__ void constants(float* x) {
    int64_t at = 0;
    put(x + at++, -INFINITY);
    put(x + at++, NAN);
    put(x + at++, M_PI);
    put(x + at++, INT_MAX);
    put(x + at++, HUGE_VAL);
}
"""


def test_macros_of_the_host_are_there_without_an_include(tmp_path: Path) -> None:
    unit = cpp.compile(file(tmp_path, CONSTANTS), options=CppOptions(compiler=COMPILERS[0]))
    (x, _), wanted = arrays(), np.array([-np.inf, np.nan, np.pi, 2**31, np.inf], np.float32)
    launch(unit.bytecode, unit.symbol, 1, (x,))
    np.testing.assert_array_equal(x[:5], wanted)


FOREIGN = """\
#include <cuda_tile.h>
namespace ct = cuda::tiles;
using Row = ct::tile<float, ct::shape<128>>;
__experimental_foreign_decl__ Row twice(Row);
__tile_global__ void doubled(float* x) {
    auto column = ct::iota<ct::tile<int, ct::shape<128>>>();
    ct::store(x + column, twice(ct::load(x + column)));
}
"""


def test_functions_of_tile_libraries_are_read_and_refused_by_name(tmp_path: Path) -> None:
    unit = cpp.compile(file(tmp_path, FOREIGN), options=CppOptions(compiler=COMPILERS[0]))
    with pytest.raises(DiagnosticError, match="calls @twice") as refused:
        launch(unit.bytecode, unit.symbol, 1, (arrays()[0],))
    (found,) = refused.value.diagnostics
    assert str(found.code) == "TW0303"
    assert 'scale.cu":7:' in str(found.location)


@pytest.mark.parametrize("target", ["cpu", "interp", "sim:sm_90"])
def test_a_template_of_a_file_runs(target: str, tmp_path: Path, options: CppOptions) -> None:
    unit = cpp.compile(file(tmp_path, SCALE), "scale", ("float", 256), options)
    x, out = arrays()
    launch(unit.bytecode, unit.symbol, 2, (x, out, 2.0, 300), target=target)
    np.testing.assert_array_equal(out, x * 2)


def test_a_text_is_compiled(options: CppOptions) -> None:
    unit = cpp.compile(SCALE + INSTANCE, options=options)
    x, out = arrays()
    launch(unit.bytecode, "scale<float,256>", 2, (x, out, 3.0, 300))
    np.testing.assert_array_equal(out, x * 3)
    assert unit.symbol == unit.symbols[0]


def test_several_instances_are_told_apart(tmp_path: Path, options: CppOptions) -> None:
    names = ("scale<float, 256>", "scale<float, 64>")
    unit = cpp.compile(file(tmp_path, SCALE), options=options.replace(instantiate=names))
    assert (len(unit.symbols), unit.symbol) == (2, "")
    x, out = arrays()
    launch(unit.bytecode, "scale<float, 64>", 5, (x, out, 2.0, 300))
    np.testing.assert_array_equal(out, x * 2)
    with pytest.raises(
        DiagnosticError, match=r"no entry 'scale'\n.*entries: scale<float, 256>, scale<float, 64>"
    ):
        launch(unit.bytecode, "scale", 5, (x, out, 2.0, 300))


def test_an_error_has_the_line_and_a_way_out(tmp_path: Path, options: CppOptions) -> None:
    path = file(tmp_path, SCALE.replace("ct::iota", "ct::iotta") + INSTANCE)
    with pytest.raises(DiagnosticError) as caught:
        cpp.compile(path, options=options)
    lines = str(caught.value).splitlines()
    column = path.read_text(encoding="utf-8").splitlines()[6].index("iotta") + 1
    assert lines[0].startswith(f"{path}:7:{column}: error[TW1354]: ")
    assert lines[2].index("^") == lines[1].index("iotta")
    assert lines[3] == "hint: did you mean 'iota'?"


def test_templates_that_nothing_instantiates(tmp_path: Path, options: CppOptions) -> None:
    with pytest.raises(DiagnosticError, match=r"TW1353.*no tile kernel"):
        cpp.compile(file(tmp_path, SCALE), options=options)


@pytest.mark.parametrize("missing", ["nvcc", "nvrtc"])
def test_the_compiler_of_the_options_is_needed(
    missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toolchain, "find", lambda: TOOLS.replace(**{missing: None}))
    other = "nvrtc" if missing == "nvcc" else "nvcc"
    message = rf"TW1350.*'{missing}' of the options is not installed\nhint: .*with auto or {other}"
    with pytest.raises(DiagnosticError, match=message):
        cpp.compile(file(tmp_path, SCALE + INSTANCE), options=CppOptions(compiler=missing))


def test_names_that_fit_no_kernel_or_several(tmp_path: Path, options: CppOptions) -> None:
    path = file(tmp_path, SCALE)
    both = options.replace(instantiate=("scale<float, 256>", "scale<float, 64>"))
    known = "kernels: scale<float, 256>, scale<float, 64>"
    for name, count in (("scal", "no kernel"), ("scale", "2 kernels")):
        with pytest.raises(DiagnosticError, match=rf"TW1356.*has {count} '{name}'\nhint: {known}"):
            cpp.compile(path, name, options=both)


def test_a_changed_header_is_compiled_again(tmp_path: Path, options: CppOptions) -> None:
    path = file(tmp_path, '#include "factor.h"\n' + SCALE.replace("row * factor", "row * FACTOR") + INSTANCE)
    x, out = arrays()
    for factor in (2.0, 5.0):
        file(tmp_path, f"#define FACTOR {factor}f\n", "factor.h")
        unit = cpp.compile(path, options=options)
        launch(unit.bytecode, None, 2, (x, out, 1.0, 300))
        np.testing.assert_array_equal(out, x * np.float32(factor))


def test_macros_and_folders(tmp_path: Path, options: CppOptions) -> None:
    (tmp_path / "headers").mkdir()
    file(tmp_path / "headers", "#define TWICE (2.0f * HALF)\n", "twice.h")
    text = "#include <twice.h>\n" + SCALE.replace("row * factor", "row * TWICE") + INSTANCE
    chosen = options.replace(include=(str(tmp_path / "headers"),), define=("HALF=0.5f",))
    unit = cpp.compile(file(tmp_path, text), options=chosen)
    x, out = arrays()
    launch(unit.bytecode, None, 2, (x, out, 1.0, 300))
    np.testing.assert_array_equal(out, x)


@pytest.mark.skipif("nvcc" not in COMPILERS, reason="needs nvcc and g++")
def test_headers_of_the_host_are_for_nvcc(tmp_path: Path) -> None:
    path = file(tmp_path, "#include <vector>\n" + SCALE + INSTANCE + "int main() { std::vector<int> v; }\n")
    assert len(cpp.compile(path).symbols) == 1


def test_commands_take_cpp(tilewright: Command, tmp_path: Path) -> None:
    path = str(file(tmp_path, SCALE))
    np.save(tmp_path / "x.npy", arrays()[0])
    words = ("--instantiate", "scale<float, 256>", "--grid", "2")
    given = (
        "--arg",
        str(tmp_path / "x.npy"),
        "--arg",
        f"zeros(300,f32):{tmp_path / 'o.npy'}",
        "--arg",
        "2.0",
    )
    assert tilewright("run", path, *words, *given, "--arg", "300") == (0, "", "")
    np.testing.assert_array_equal(np.load(tmp_path / "o.npy"), arrays()[0] * 2)
    status, _, err = tilewright("run", path, *words, *given, "--arg", "301", "--check", "memcheck")
    assert status == 1
    assert f"{path}:9:16: error[TW0402]: kernel 'scale<float, 256>' in tile block (1, 0, 0)" in err
    assert "entry @" in tilewright("compile", path, *words[:2]).out


def test_every_command_takes_instances(tilewright: Command, tmp_path: Path) -> None:
    path = str(file(tmp_path, SCALE.replace("row * factor", "row * TWICE")))
    words = (path, "--instantiate", "scale<float, 256>", "-D", "TWICE=2.0f")
    page = tmp_path / "page.html"
    for name in ("translate", "disasm", "compile"):
        answer = tilewright(name, *words)
        assert (answer.status, "_Z5scaleIfLi256E" in answer.out) == (0, True), answer
    assert tilewright("verify", *words).status == 0
    assert tilewright("explore", *words, "-o", str(page)).status == 0
    data = re.search(r'id="data">([^<]*)<', page.read_text(encoding="utf-8"))
    assert data is not None
    assert "ct::load_masked" in gzip.decompress(base64.b64decode(data[1])).decode()


def test_commands_tell_errors_of_cpp(tilewright: Command, tmp_path: Path) -> None:
    path = str(
        file(tmp_path, "#include <cuda_tile.h>\n__tile_global__ void k(float* x) { int i = nothing; }\n")
    )
    for words in (("compile",), ("disasm",), ("run",), ("verify",)):
        status, _, err = tilewright(*words, path)
        assert (status, "Traceback" in err) == (1, False), words
        assert err.startswith(f"{path}:2:"), words
        assert "error[TW1354]" in err

"""Output of NVIDIA's C++ compilers as diagnostics."""

from __future__ import annotations

from pathlib import Path

from tilewright.cpp.messages import diagnostics, refusal
from tilewright.ir.diagnostic import Severity

LOG = """\
k.cu(5): error: namespace "cuda::tiles" has no member "lod"
      ct::store(x + i, ct::lod(x + i) * 2);
                           ^

k.cu(5): error: no instance of function template "cuda::tiles::__1::store" matches the argument list
            argument types are: (cuda::tiles::__1::tile<float *>, <error-type>)
      ct::store(x + i, ct::lod(x + i) * 2);
      ^
cuda_tile.h(3073): note #3473-D: substituting "<...>" for function template "store" failed constraints
      __tile_builtin__ void store(Ptrs ptrs, Value value) noexcept;
                            ^

k.cu(7): error: no operator "+" matches these operands
            operand types are: unsigned int + cuda::tiles::__1::tile<int>
      auto column = ct::bid().x * N + ct::iota<T>();
                                    ^
cuda_tile.h(2492): note #3322-D: number of parameters does not match the call
      __tile_builtin__ T operator+(T x) noexcept;
                         ^
          detected during instantiation of "void scale<T,N>(T *) [with T=float, N=256]" at line 13

k.cu(8): warning #177-D: variable "a" was declared but never referenced
      int64_t a = 1;
              ^

2 errors detected in the compilation of "k.cu".
"""


def found(log: str = LOG) -> list[str]:
    return [str(one) for one in diagnostics(log, lambda name: f"/p/{name}", lambda: ["load", "store"])]


def test_each_block_is_a_diagnostic() -> None:
    member, operands, unused = found()
    assert member == (
        '/p/k.cu:5:26: error[TW1354]: namespace "cuda::tiles" has no member "lod"\nhint: did you mean \'load\'?'
    )
    assert operands.splitlines()[0] == (
        '/p/k.cu:7:35: error[TW1351]: no operator "+" matches these operands '
        "operand types are: unsigned int + cuda::tiles::tile<int>"
    )
    assert unused == '/p/k.cu:8:13: warning[TW1352]: variable "a" was declared but never referenced'


def test_an_instantiation_is_a_note_and_candidates_are_left_out() -> None:
    assert found()[1].splitlines()[1:] == [
        "/p/k.cu:13:1: note: in the instantiation of void scale<T,N>(T *) [with T=float, N=256]",
        "hint: give both operands one element type: ct::element_cast<T>(tile), or static_cast<T>(number)",
    ]


def test_a_missing_header() -> None:
    log = 'k.cu(2): catastrophic error: cannot open source file "mine.h"\n  #include "mine.h"\n                   ^\n'
    (told,) = found(log)
    assert told.startswith('/p/k.cu:2:18: error[TW1355]: cannot open source file "mine.h"')
    assert "-I FOLDER" in told


def test_a_message_without_a_place() -> None:
    (told,) = found("error: invalid value for --gpu-architecture (-arch)\n")
    assert told.startswith("error[TW1351]: invalid value for --gpu-architecture (-arch)")


def test_the_exception_has_the_errors_only() -> None:
    error = refusal(LOG, lambda name: name, lambda: ())
    assert {one.severity for one in error.diagnostics} == {Severity.ERROR}
    assert len(error.diagnostics) == 2
    assert "cuda_tile.h" not in str(error)


def test_the_whole_output_is_shown_if_tracebacks_are_wanted(monkeypatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_TRACEBACK", "1")
    assert "cuda_tile.h(3073)" in str(refusal(LOG, lambda name: name, lambda: ()))


def test_output_of_no_known_form_is_one_error() -> None:
    (only,) = refusal("Segmentation fault\n", lambda name: name, lambda: ()).diagnostics
    assert only.message == "Segmentation fault"


def test_the_source_line_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text("\n" * 4 + "    ct::store(x + i, ct::lod(x + i) * 2);\n", encoding="utf-8")
    told = str(diagnostics(LOG, lambda name: str(file), lambda: ())[0]).splitlines()
    assert told[1].strip() == "5 |     ct::store(x + i, ct::lod(x + i) * 2);"
    assert told[2].index("^") == told[1].index("lod")

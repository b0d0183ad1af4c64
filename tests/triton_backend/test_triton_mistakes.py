"""Mistakes in kernels that Triton's front end reports: short diagnostics that name the line and a way out."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from tests.support.mistakes import Mistake, check, failures_of, module_of, program_of, suite_of
from tilewright.cli.main import main
from tilewright.ir.diagnostic import DiagnosticError

pytest.importorskip("triton.language")
if not entry_points(group="triton.backends", name="tilewright"):
    pytest.skip("the installed tilewright has no entry point yet", allow_module_level=True)

HEAD = (
    "import numpy as np\nimport triton\nimport triton.language as tl\n\n\n"
    "@triton.jit\ndef helper(a):\n    return a.foo\n\n\n@triton.jit"
)
MISTAKES = (
    Mistake("misspelt", "a = tl.laod(x)", "tl.laod", "TW0520", "did you mean 'load'?"),
    Mistake("variable", "result = 1\ntl.store(out, reslut)", "reslut", "TW0520", "did you mean 'result'?"),
    Mistake(
        "method",
        "i = tl.arange(0, N)\na = i.broadcst_to(N)",
        "i.broadcst_to",
        "TW0520",
        "did you mean 'broadcast_to'?",
    ),
    Mistake("thirty", "i = tl.arange(0, 30)", "tl.arange", "TW0521", "the next power of two"),
    Mistake("extents", "a = tl.arange(0, N) + tl.arange(0, 2 * N)", "tl.arange", "TW0521", "equal extents"),
    Mistake("no_pointer", "a = tl.load(tl.arange(0, N))", "tl.load", "TW0522", "plus offsets"),
    Mistake("missing", "a = tl.arange(0)", "tl.arange", "TW0523", "signature"),
    Mistake(
        "caught", "try:\n    pass\nexcept Exception:\n    pass", "try:", "TW0524", "outside of the kernel"
    ),
    Mistake("over_list", "for i in [1, 2]:\n    pass", "for i", "TW0524", "range"),
    Mistake("varying", "i = tl.arange(0, tl.program_id(0))", "tl.arange", "TW0525", "tl.constexpr"),
    Mistake("asserted", "tl.static_assert(N > 64, 'too small')", "tl.static_assert", "TW0526", "holds"),
)
TEXT = module_of(HEAD, "x, out, N: tl.constexpr", MISTAKES)


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The kernels, where Triton has chosen our back end."""
    triton: Any = import_module("triton")
    found = triton.backends.backends["tilewright"]
    folder = tmp_path_factory.mktemp("mistakes")
    file = folder / "mistaken_triton.py"
    file.write_text(TEXT, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("mistaken_triton", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    config = triton.runtime.driver
    before = config._active
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("TRITON_CACHE_DIR", str(folder))
        config.set_active(found.driver())
        yield module
    config._active = before


def mistake_of(kernel: Any) -> DiagnosticError:
    x = np.zeros(64, np.float32)
    with pytest.raises(DiagnosticError) as caught:
        kernel[(1,)](x, x.copy(), 32)
    return caught.value


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda one: one.name)
def test_the_message(kernels: ModuleType, mistake: Mistake) -> None:
    error = mistake_of(getattr(kernels, mistake.name))
    check(str(error), str(kernels.__file__), TEXT, mistake)
    assert isinstance(error, import_module("triton.compiler.errors").CompilationError)
    assert "note: launched from here" in str(error)


LAUNCH = """
def launch(kernel):
    x = np.zeros(64, np.float32)
    kernel[(1,)](x, x.copy(), 32)
"""


def test_run_shows_every_mistake_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    file = tmp_path / "mistaken_program.py"
    file.write_text(program_of(TEXT, LAUNCH), encoding="utf-8")
    for mistake in MISTAKES:
        with pytest.raises(SystemExit) as ended:
            main(["run", str(file), mistake.name])
        assert ended.value.code == 1
        check(capfd.readouterr().err, str(file), TEXT, mistake)


def test_pytest_shows_every_mistake_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    file = tmp_path / "test_mistaken_suite.py"
    file.write_text(suite_of(TEXT, LAUNCH, MISTAKES), encoding="utf-8")
    shown = failures_of(file)
    assert list(shown) == [mistake.name for mistake in MISTAKES]
    for mistake in MISTAKES:
        check(shown[mistake.name], str(file), TEXT, mistake)


def test_a_mistake_in_a_function_names_the_call(kernels: ModuleType) -> None:
    text = TEXT.replace(
        "def misspelt(x, out, N: tl.constexpr):\n    a = tl.laod(x)",
        "def misspelt(x, out, N: tl.constexpr):\n    a = helper(x)",
    )
    Path(str(kernels.__file__)).with_name("called_triton.py").write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(
        "called_triton", Path(str(kernels.__file__)).with_name("called_triton.py")
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (found,) = mistake_of(module.misspelt).diagnostics
    lines = text.splitlines()
    assert found.location.source is not None
    assert lines[found.location.source[1] - 1] == "    return a.foo"
    call = found.notes[0]
    assert call.message == "called from here"
    assert call.location.source is not None
    assert lines[call.location.source[1] - 1] == "    a = helper(x)"

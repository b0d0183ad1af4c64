"""Which modules of the package no use enters: `python -m tests.house.usage` prints them, a line for each module.

A line that ends with ``by hand`` names a module that only hand-written text enters: samples of dialects that are written
for tests, which no compilation of a kernel makes.

Used is what a user can do: compile and run the kernels of the examples, with and without checks, run the commands, and
run the code of the documents.  A module is entered if one of its functions is called; functions that only run while a
module is imported count as well, comprehensions do not, and modules without functions do not matter.
"""

from __future__ import annotations

import contextlib
import cProfile
import io
import os
import shlex
import sys
import tempfile
import time
from collections.abc import Callable, Container, Iterator, Sequence
from importlib.machinery import SourceFileLoader
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType
from unittest.mock import patch

from tests.house.documents import documents, execute
from tests.house.tree import ROOT, module_name, python_files
from tests.lowering.schedule.loops import PRODUCTS
from tests.support.synthetic.synthetic_cubin import cubin
from tests.support.synthetic.synthetic_sass import assembler, disassembler

SOURCES = ROOT / "src"
FIXTURES = ROOT / "tests" / "bytecode" / "fixtures"
PROCESSOR = "x86-64-v3"
"""The same everywhere: what is entered depends on it."""
GPU_COPIES = ROOT / "tests" / "house" / "data" / "gpu_copies.mlir"
GPU_KERNEL = ROOT / "tests" / "house" / "data" / "gpu_kernel.mlir"
KERNEL = ROOT / "tests" / "house" / "data" / "kernel.mlir"
LARGE_TILE = ROOT / "tests" / "house" / "data" / "large_tile.mlir"
PRODUCT = ROOT / "tests" / "house" / "data" / "product.mlir"
PROGRAM = ROOT / "tests" / "house" / "data" / "program.py"
COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})
"""Names of code that some versions of Python call as a function, and that runs where it is written."""
PTX = ROOT / "tests" / "ptx" / "data" / "every_statement.ptx"
SCALE = ROOT / "tests" / "ptxsim" / "data" / "scale.ptx"
CHECKS = ("memcheck", "racecheck", "initcheck", "fpcheck", "promises")


def with_functions(left_out: Container[str] = ()) -> set[str]:
    """The modules that have functions, but for some that need not be read."""
    paths = {module_name(path): path for path in python_files("src")}
    return {
        name for name, path in paths.items() if name not in left_out and _has_functions(_code(name, path))
    }


def _code(name: str, path: Path) -> CodeType:
    """The code of a module, which Python has compiled before: a syntax tree would take much longer."""
    code = SourceFileLoader(name, str(path)).get_code(name)
    assert code is not None
    return code


def _has_functions(code: CodeType) -> bool:
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    return any(_is_function(one) or _has_functions(one) for one in inner)


def entered(uses: Sequence[Callable[[], None]]) -> set[str]:
    """The modules whose functions are called on this thread while the uses run."""
    profile = cProfile.Profile(subcalls=False, builtins=False)
    for use in uses:
        start = time.process_time()
        profile.enable()
        try:
            use()
        finally:
            profile.disable()
        print(f"{time.process_time() - start:6.1f} s  {use.__name__}", file=sys.stderr)
    codes = [entry.code for entry in profile.getstats()]
    files = {Path(code.co_filename) for code in codes if not isinstance(code, str) and _is_function(code)}
    return {module_name(file) for file in files if file.is_relative_to(SOURCES)}


def _is_function(code: CodeType) -> bool:
    """Whether code is that of a function: neither of a module or class, nor of a comprehension."""
    return bool(code.co_flags & CO_OPTIMIZED) and code.co_name not in COMPREHENSIONS


# --- uses


def run_documents() -> None:
    """The code of all documents but the reference pages, which have none."""
    for document in documents():
        if "reference" not in document.parts:
            with in_new_folder() as folder:
                execute(document, folder)


def compile_examples() -> None:
    """Kernels of the examples, and one of each operation that the stored bytecode has, down to LLVM IR.

    Those that are stored in several versions are compiled in the newest one.  One kernel is compiled with each check as
    well.  Operations that have no form on the CPU are refused.
    """
    import tilewright
    from tilewright.ir.diagnostic import DiagnosticError

    newest = {file.name.partition("@")[0]: file for file in sorted(FIXTURES.glob("*.tileirbc"))}
    for file in newest.values():
        with (
            contextlib.nullcontext()
            if file.name.startswith("kernel.")
            else contextlib.suppress(DiagnosticError)
        ):
            assert tilewright.compile(file, options=tilewright.CompileOptions(cpu=PROCESSOR)).asm["llvm"]
    for check in CHECKS:
        options = tilewright.CompileOptions(checks=check)
        assert tilewright.compile(FIXTURES / "kernel.vector_add@13.2.tileirbc", options=options).asm["llvm"]


def run_commands() -> None:
    """The commands, each with its forms."""
    with in_new_folder() as folder:
        (folder / "k.mlir").write_text(KERNEL.read_text(encoding="utf-8"), encoding="utf-8")
        (folder / "product.mlir").write_text(PRODUCT.read_text(encoding="utf-8"), encoding="utf-8")
        (folder / "large.mlir").write_text(LARGE_TILE.read_text(encoding="utf-8"), encoding="utf-8")
        (folder / "loop.mlir").write_text(PRODUCTS, encoding="utf-8")
        (folder / "bin").mkdir()
        (folder / "k.cubin").write_bytes(cubin())
        assembler(folder / "bin" / "ptxas")
        disassembler(folder / "bin" / "nvdisasm")
        (folder / "program.py").write_text(PROGRAM.read_text(encoding="utf-8"), encoding="utf-8")
        (folder / "k.ptx").write_text(PTX.read_text(encoding="utf-8"), encoding="utf-8")
        (folder / "scale.ptx").write_text(SCALE.read_text(encoding="utf-8"), encoding="utf-8")
        for line in COMMANDS:
            command(line.split())


def run_hand_written_commands() -> None:
    """Translate modules of `nvvm` that are written by hand, with forms that no kernel becomes."""
    with in_new_folder() as folder:
        (folder / "gpu.mlir").write_text(GPU_KERNEL.read_text(encoding="utf-8"), encoding="utf-8")
        (folder / "copies.mlir").write_text(GPU_COPIES.read_text(encoding="utf-8"), encoding="utf-8")
        for line in HAND_WRITTEN:
            command(line.split())


def run_text_tests() -> None:
    """The first command of each text test of `opt`; samples of dialects are simplified and converted as well."""
    for file in sorted((ROOT / "tests" / "filecheck").rglob("*.mlir")):
        flags = ("--canonicalize", "--convert-to-llvm") if file.parent.name == "dialects" else ()
        for words in _commands_of(file):
            for flag in ((), *((flag,) for flag in flags)):
                with contextlib.suppress(
                    AssertionError
                ):  # some are about errors, and some cannot be converted
                    command([*words, *flag])


def _commands_of(file: Path) -> Iterator[list[str]]:
    """The first command of the first ``RUN`` line, on the file itself."""
    for line in file.read_text(encoding="utf-8").splitlines():
        head, _, rest = line.partition("RUN: tilewright-opt ")
        if rest and head.strip() == "//":
            words = shlex.split(rest.partition("|")[0].partition("2>")[0].partition(">")[0])
            words = [word.replace("%s", str(file)) for word in words]
            if not any("%" in word for word in words):
                yield ["opt", *words]
                return


COMMANDS = """\
verify k.mlir
verify --output-format=json k.mlir
verify --output-format=github k.mlir
verify --output-format=sarif k.mlir
translate --mlir-to-cudatilebc k.mlir -o k.tileirbc
translate -g k.tileirbc
disasm k.tileirbc
diff k.mlir k.tileirbc
diff --output-format=json k.mlir k.tileirbc
compile k.mlir --emit=asm,object -o k --save-temps --timings --mlir-timing
compile -g k.tileirbc --emit=llvm --mlir-print-ir-after-all
compile k.mlir --emit=plan -o k.plan
compile product.mlir --target sm_80 --emit=ptx -o product.ptx
compile large.mlir --target sm_80 --emit=ptx -o large.ptx
compile loop.mlir --target sm_80 --emit=layouts -o layouts.mlir
opt layouts.mlir --nv-tileas-generate-schedule
compile loop.mlir --target sm_80 --emit=ptx -o loop.ptx
schedule loop.mlir
schedule loop.mlir --target sm_120a --json
explore k.mlir -o k.page.html --trace k.trace.json
explore k.mlir --target sm_80 -o k.gpu.html
run k.mlir --arg zeros(4,f32) --arg 2.0
run k.mlir --target=interp --arg zeros(4,f32) --arg 2.0 --check=memcheck --json
run program.py
debug program.py
compare program.py
compare program.py --json
reduce k.mlir --says cuda_tile -o k.small.mlir -- cat
opt k.mlir --canonicalize --cse --mlir-pass-statistics --debug-rewrites
opt k.mlir --print-value-facts
opt k.mlir --pass-pipeline=builtin.module(cuda_tile.module(cuda_tile.entry(propagate-assumptions,verify,print-op-stats)))
opt k.mlir --strip-debuginfo --reconcile-unrealized-casts
opt k.mlir -Wunsupported-hints
inspect k.cubin
inspect k.cubin --json
inspect k.cubin --html k.html
cache ls
cache path
cache verify
ptx k.ptx
ptx --instructions mma.sync.aligned
ptx --instructions
ptx --registers
ptx assemble scale.ptx --assembler bin/ptxas -o scale.cubin
ptx assemble scale.ptx --assembler bin/ptxas --json
sass k.cubin --disassembler bin/nvdisasm
sass k.cubin --against scale.cubin --json --disassembler bin/nvdisasm
sim scale.ptx --grid 2 --block 32 --arg ones(64,f32) --arg 2.0
sim --instructions
layout conversion(mma.m16n8k16.C.f32,blocked((16,8),(1,4),(16,2),(1,1),(1,0))) --json
layout zipped_divide((8,8),[4;2]) --svg k.svg
layout S<3,4,3>
layout product.mlir --value %0 --svg k.svg --json
registry
explain cuda_tile.addf
explain TW0703
abi list
abi header
abi show operation
doctor
install-tileirdisasm bin
--help
""".splitlines()


HAND_WRITTEN = """\
translate --mlir-to-ptx --chip sm_90a --line-info gpu.mlir -o gpu.ptx
translate --mlir-to-ptx --chip sm_90a copies.mlir -o copies.ptx
""".splitlines()


def command(words: Sequence[str]) -> None:
    """Run a command line in this process; it must succeed."""
    from tilewright.cli.main import main

    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))  # bytecode is bytes
    try:
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            patch.object(sys, "stdin", io.StringIO("c\n")),  # to the debugger
        ):
            main([*words])
    except SystemExit as end:
        if end.code:
            err.seek(0)
            raise AssertionError(f"{' '.join(words)}: {end.code}\n{err.read()[-1000:]}") from end


@contextlib.contextmanager
def in_new_folder() -> Iterator[Path]:
    """Stand in an empty folder."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(before)


USES = (run_documents, compile_examples, run_commands)
"""What users do."""
SAMPLES = (run_hand_written_commands, run_text_tests)
"""Runs on text that is written by hand for tests."""


def main() -> None:
    """Run all uses with an empty cache; print the modules that no use enters, and whether a sample does."""
    with tempfile.TemporaryDirectory() as cache:
        os.environ["TILEWRIGHT_CACHE_DIR"] = cache
        used = entered(USES)
        by_hand = entered(SAMPLES)
    names = sorted(with_functions(used))
    sys.stdout.write("".join(f"{name} by hand\n" if name in by_hand else f"{name}\n" for name in names))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
    os._exit(0)  # to free all that the uses made, object by object, takes seconds

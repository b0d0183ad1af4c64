"""The tools: a name, a description and a schema for a client, and the command of tilewright that each runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tilewright.tool_server.folder import Folder

Arguments = Mapping[str, Any]
Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolDeclaration:
    """A tool: its name, the text for clients, the schemas of its parameters by name, and a function from its
    arguments and the folder of the server to the words of a command line. The first ``required`` parameters
    must be given. ``reports`` means that the command prints a report in JSON, ``is_safe`` that it runs no
    program of the user.
    """

    name: str
    description: str
    parameters: Mapping[str, Schema]
    required: int
    words: Callable[[Arguments, Folder], list[str]]
    reports: bool = False
    is_safe: bool = False

    def schema(self) -> Schema:
        """Return the JSON Schema of the arguments: an object with the parameters, and no others."""
        return {
            "type": "object",
            "properties": dict(self.parameters),
            "required": list(self.parameters)[: self.required],
            "additionalProperties": False,
        }


def _text(description: str, default: str | None = None) -> Schema:
    schema: Schema = {"type": "string", "description": description}
    return schema if default is None else {**schema, "default": default}


def _texts(description: str) -> Schema:
    return {"type": "array", "items": {"type": "string"}, "description": description, "default": []}


PROGRAM = _text("The file, by its path in the folder: a Python program, MLIR text, bytecode, or CUDA C++.")
PYTHON = _text("The Python program, by its path in the folder.")
MODULE = _text("The file, by its path in the folder: MLIR text, bytecode, CUDA C++, LLVM IR or PTX.")
WORDS = _texts("Arguments of a Python program.")
CHECKS = _text("memcheck, initcheck, racecheck, fpcheck, promises, several with commas, or all.", "all")
TARGET = _text(
    "cpu, interp (slower, and exact about races within a tile block), or sim:sm_90 and others.", "cpu"
)
ENTRY = _text("The kernel of a file with several.", "")
GRID = _text("Blocks of a kernel in a file: x, or x,y,z.", "1")
STAGE = _text(
    "tileir, bytecode, tileaa, tileas; of the CPU plan, llvm, asm, object; of GPUs layouts, llvm, ptx, cubin."
)
COMPILED = _text("cpu, or a GPU such as sm_90a.", "cpu")
OUTPUT = _text("The folder or file for the result, by its path in the folder.", "build")
GPU = _text("The simulated GPU, for kernels that are no PTX.", "sm_90")
BLOCK = _text("Threads of a block of a PTX kernel: x, or x,y,z; by default the kernel's own, or 32.", "")
VALUES = _texts(
    "For a kernel in a file, one for each parameter in order: a number, zeros(4, 8, f32), ones(4, f32), or "
    "IN.npy:OUT.npy, which is written after the run."
)

KERNEL = {"entry": ENTRY, "grid": GRID, "values": VALUES}
"""The parameters about a kernel in a file."""


def _run(arguments: Arguments, folder: Folder, check: str = "") -> list[str]:
    words = ["run", "--json", "--target", arguments.get("target", "cpu")]
    words += ["--check", check] if check else []
    file = folder.file(arguments["file"])
    if file.endswith(".py"):
        return [*words, file, *map(folder.word, arguments.get("arguments", ()))]
    return [*words, *_kernel(arguments, folder), file]


def _kernel(arguments: Arguments, folder: Folder) -> list[str]:
    """Return the command-line options of a kernel for `arguments` of a tool: ``--entry`` if given,
    ``--grid``, by default 1, and an ``--arg`` for each value, whose files are in `folder`.
    """
    entry = arguments.get("entry", "")
    values = [word for value in arguments.get("values", ()) for word in ("--arg", _value(value, folder))]
    return [*(["--entry", entry] if entry else []), "--grid", arguments.get("grid", "1"), *values]


def _value(text: str, folder: Folder) -> str:
    """Return an argument of a kernel unchanged. Raises `DiagnosticError` if it leads out of the folder: the
    parts between ``:`` of an argument with ``.npy`` are names of files, other arguments are tested by
    `Folder.word`.
    """
    for name in text.split(":") if ".npy" in text else ():
        folder.file(name)
    return folder.word(text)


def _check(arguments: Arguments, folder: Folder) -> list[str]:
    is_run = arguments["file"].endswith(".py") or "values" in arguments
    if is_run:
        return _run(arguments, folder, arguments.get("checks", "all"))
    return ["verify", "--json", folder.file(arguments["file"])]


def _compile(arguments: Arguments, folder: Folder) -> list[str]:
    stage, target = arguments.get("stage", "object"), arguments.get("target", "cpu")
    output = folder.file(arguments.get("output", "build"))
    return [
        "compile",
        "--json",
        "--emit",
        stage,
        "--target",
        target,
        "-o",
        output,
        folder.file(arguments["file"]),
    ]


def _stage(arguments: Arguments, folder: Folder) -> list[str]:
    target = arguments.get("target", "cpu")
    return ["explore", "--stage", arguments["stage"], "--target", target, folder.file(arguments["file"])]


def _simulate(arguments: Arguments, folder: Folder) -> list[str]:
    file = folder.file(arguments["file"])
    if not file.endswith(".ptx"):
        return _run({**arguments, "target": f"sim:{arguments.get('gpu', 'sm_90')}"}, folder)
    block = arguments.get("block", "")
    return ["sim", *_kernel(arguments, folder), *(["--block", block] if block else []), file]


def _compare(arguments: Arguments, folder: Folder) -> list[str]:
    words = ["compare", "--target", arguments.get("target", "cpu"), folder.file(arguments["file"])]
    return [*words, *map(folder.word, arguments.get("arguments", ()))]


def _prove(arguments: Arguments, folder: Folder) -> list[str]:
    words = ["verify", "--prove", "--", folder.file(arguments["file"])]
    return [*words, *map(folder.word, arguments.get("arguments", ()))]


def _explain(arguments: Arguments, folder: Folder) -> list[str]:
    return ["explain", "--", arguments["name"]]


TOOLS: dict[str, ToolDeclaration] = {
    tool.name: tool
    for tool in (
        ToolDeclaration(
            "check",
            "Run a program under run-time checks, and report data races, accesses out of bounds, undefined values, NaNs "
            "and broken promises with their lines. A module without values is verified and not run.",
            {"file": PROGRAM, "checks": CHECKS, "target": TARGET, "arguments": WORDS, **KERNEL},
            1,
            _check,
            reports=True,
        ),
        ToolDeclaration(
            "run",
            "Run a program, or a kernel in a file, without checks, and return its output.",
            {"file": PROGRAM, "target": TARGET, "arguments": WORDS, **KERNEL},
            1,
            _run,
            reports=True,
        ),
        ToolDeclaration(
            "compile",
            "Compile a module, and write one of its stages to a folder in the folder of the server.",
            {"file": MODULE, "stage": STAGE, "target": COMPILED, "output": OUTPUT},
            1,
            _compile,
            is_safe=True,
        ),
        ToolDeclaration(
            "stage",
            "Return one stage of the kernels of a module, or of those that a Python program launches, as text: Tile IR, "
            "the stages of the compiler, LLVM IR, assembly or PTX.",
            {"file": PROGRAM, "stage": STAGE, "target": COMPILED},
            2,
            _stage,
        ),
        ToolDeclaration(
            "simulate",
            "Run a kernel of a PTX file, or the kernels of a program as code for a GPU, in the strict simulator. The "
            "first violation ends the run; without one the counts of a PTX kernel are returned.",
            {"file": PROGRAM, "gpu": GPU, "block": BLOCK, "arguments": WORDS, **KERNEL},
            1,
            _simulate,
        ),
        ToolDeclaration(
            "compare",
            "Compare the results of a Python program's kernels with exact values: the largest errors, and the first "
            "operation that loses more digits than it has to.",
            {"file": PYTHON, "target": TARGET, "arguments": WORDS},
            1,
            _compare,
        ),
        ToolDeclaration(
            "prove",
            "Prove for all sizes that accesses of a Python program's kernels stay in bounds and that tile blocks do not "
            "race, with conditions, or refute it with arguments.",
            {"file": PYTHON, "arguments": WORDS},
            1,
            _prove,
        ),
        ToolDeclaration(
            "explain",
            "Return the reference page of a diagnostic code (TW0406), an operation (addf), a type or an enumeration.",
            {"name": _text("The code or the name.")},
            1,
            _explain,
            is_safe=True,
        ),
    )
}
"""The tools by name."""

"""`tilewright doctor`: list the features that this installation has, and the packages that the others need."""

from __future__ import annotations

import importlib.metadata
import json
import platform
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from tilewright.cli import report_shapes as shapes

PACKAGES = (
    ("numpy", "cpu", "running kernels"),
    ("ml_dtypes", "cpu", "bf16, fp8 and fp4 values"),
    ("llvmlite", "cpu", "compiling kernels for this processor"),
    ("cuda-tile", "cutile", "the cuTile Python frontend (tested: 1.6 and 1.7)"),
    ("triton", "triton", "kernels of Triton"),
    ("cuda-bindings", "cpp", "C++ files, compiled by NVRTC; programs that call the driver"),
    ("cxxfilt", "cpp", "names of C++ functions"),
    ("pytest", "pytest", "the plugin: pytest --tilewright"),
    ("pygls", "lsp", "editors: kernels and MLIR text"),
    ("mcp", "mcp", "tools for programs that write kernels"),
    ("z3-solver", "prove", "proofs about kernels for all sizes"),
    ("ipython", "notebook", "the cell magic of notebooks"),
    ("pyelftools", "inspect", "looking into programs and cubins"),
    ("capstone", "inspect", "looking into the code of programs"),
    ("blake3", "inspect", "keys of interned values in memory images"),
)
"""Packages that are used where they are installed, with the extra that brings them and their purpose."""
TOOLS = (
    ("ptxas", "nvidia-cuda-nvcc", "machine code for NVIDIA's GPUs"),
    ("nvdisasm", "nvidia-cuda-nvdisasm", "the text of machine code for GPUs"),
)
"""Programs of NVIDIA that are used where they are found, with the package that brings them and their purpose."""


def _installed(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


@click.command(name="doctor")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(as_json: bool) -> None:
    """Show versions, targets and optional packages; exit 1 when the CPU target cannot run."""
    facts = _facts()
    click.echo(json.dumps(facts, indent=2) if as_json else _table(facts))
    for hint in facts["hints"]:
        click.echo(f"hint: {hint}", err=True)
    sys.exit(0 if facts["can_run"] else 1)


def _facts() -> shapes.Installation:
    from tilewright.dialects.cuda_tile.version import VERSIONS
    from tilewright.driver.dependencies import installs, installs_extra
    from tilewright.driver.target import all_targets
    from tilewright.version import __version__

    packages: list[shapes.PackageRow] = [
        {"name": package, "version": _installed(package), "extra": extra, "purpose": purpose}
        for package, extra, purpose in PACKAGES
    ]
    tools, page = _tools(), _page_hints()
    missing = sorted({str(row["extra"]) for row in packages if row["version"] is None})
    facts: shapes.Installation = {
        "schema": 1,
        "version": __version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "bytecode": [str(version) for version in VERSIONS],
        "targets": [
            *(
                {"name": target.name, "summary": target.summary, "needs": _missing_for(target.name)}
                for target in all_targets().values()
            ),
            *_gpu_targets(),
        ],
        "packages": packages,
        "tools": tools,
        "page": not page,
        "hints": [
            *map(installs_extra, missing),
            *(installs(row["package"]) for row in tools if row["path"] is None),
            *page,
        ],
        "can_run": "cpu" not in missing,
    }
    if _installed("llvmlite") is not None:
        facts["processor"], facts["cache"] = _processor()
    return facts


def _gpu_targets() -> list[shapes.TargetRow]:
    """Return a row for each kind of GPU target: whether it works here, and if not, the reason and hints."""
    from tilewright.driver.target import DEVICE, GPU, SIMULATION, target
    from tilewright.ir.diagnostic import DiagnosticError

    rows: list[shapes.TargetRow] = []
    for name, label in (
        (f"{GPU}90a", f"{GPU}*"),
        (f"{SIMULATION}{GPU}90a", f"{SIMULATION}{GPU}*"),
        (DEVICE, DEVICE),
    ):
        row: shapes.TargetRow = {"name": label, "summary": "", "works": True}
        try:
            row["summary"] = target(name).summary
        except DiagnosticError as error:
            (first, *_) = error.diagnostics
            row = {
                "name": label,
                "works": False,
                "summary": f"not here: {first.message}",
                "hints": [*first.hints],
            }
        rows.append(row)
    return rows


def _missing_for(target: str) -> list[str]:
    """Return the packages that a target needs and that are not installed."""
    from tilewright.driver.dependencies import PACKAGES as NEEDED

    return [package for package in NEEDED.get(target, ()) if _installed(package.replace(".", "-")) is None]


def _tools() -> list[shapes.ToolRow]:
    """Return the programs and files of NVIDIA that are used if they are found, each with the path of the
    first installation that would be used; the path is None without an installation.
    """
    from tilewright.cpp.toolchain import find, host_compiler
    from tilewright.cuda_programs.interface import DRIVER_HEADER
    from tilewright.targets.nvptx.tools import Tool, header_folders, programs

    rows: list[shapes.ToolRow] = []
    for name, package, purpose in TOOLS:
        found = next(iter(programs(name)), None)
        path = None if found is None else str(found.path)
        rows.append({"name": name, "package": package, "path": path, "purpose": purpose})
    compilers, compiler = find(), host_compiler()
    headers = next(iter(header_folders(DRIVER_HEADER)), None)
    driver = None if compiler is None or headers is None else Tool(headers / DRIVER_HEADER, compiler)
    for name, package, purpose, found in (
        (
            "nvrtc",
            "nvidia-cuda-nvrtc",
            "C++ files with tile kernels, kernels of cupy.RawKernel",
            compilers.nvrtc,
        ),
        ("nvcc", "nvidia-cuda-nvcc", "C++ programs; needs g++", compilers.nvcc),
        (DRIVER_HEADER, "nvidia-cuda-runtime", "programs that call the driver or runtime; needs g++", driver),
    ):
        path = None if found is None else str(found.path)
        rows.append({"name": name, "package": package, "path": path, "purpose": purpose})
    return rows


def _page_hints() -> list[str]:
    """Return a hint in a list if the files of the explorer's page are missing, else an empty list: every
    installation should have them.
    """
    from tilewright.explorer.html import ASSETS

    whole = all((ASSETS / name).is_file() for name in ("main.js", "style.css"))
    return [] if whole else ["install tilewright again: the page of `tilewright explore` is missing"]


def _processor() -> tuple[shapes.Processor, str]:
    """Return the processor that kernels are compiled for, and the directory that they are cached in."""
    from tilewright.runtime.disk_cache import default_directory
    from tilewright.runtime.workers.threads import thread_count
    from tilewright.targets.cpu.machine.host import matrix_tiles, processor

    target = processor()
    facts: shapes.Processor = {
        "name": str(target),
        "vector_bits": 8 * target.vector_bytes,
        "threads": thread_count(),
        "matrix_tiles": matrix_tiles(target),
    }
    return facts, str(default_directory())


def _target_lines(target: shapes.TargetRow) -> list[str]:
    lines = [f"target     {target['name']:8} {target['summary']}{_needs(target)}"]
    return lines + [f"{'':20}hint: {hint}" for hint in target.get("hints", ())]


def _table(facts: shapes.Installation) -> str:
    lines = [
        f"tilewright {facts['version']}, Python {facts['python']} on {facts['machine']}",
        f"bytecode   {', '.join(facts['bytecode'])}",
        *(line for target in facts["targets"] for line in _target_lines(target)),
    ]
    if "processor" in facts:
        one = facts["processor"]
        lines += [
            f"processor  {one['name']}, vectors of {one['vector_bits']} bits, {one['threads']} threads",
            *([f"           matrix tiles {one['matrix_tiles']}"] if one["matrix_tiles"] else []),
            f"cache      {facts.get('cache')}",
        ]
    for package in facts["packages"]:
        version = package["version"] or "missing"
        lines.append(f"package    {package['name']:18} {version:10} {package['purpose']}")
    for tool in facts["tools"]:
        lines.append(f"program    {tool['name']:18} {tool['path'] or 'missing'}: {tool['purpose']}")
    lines.append(f"page       {'of tilewright explore':18} {'installed' if facts['page'] else 'missing'}")
    return "\n".join(lines)


def _needs(target: shapes.TargetRow) -> str:
    missing: Sequence[str] = target.get("needs", ())
    return f" (missing: {', '.join(missing)})" if missing else ""

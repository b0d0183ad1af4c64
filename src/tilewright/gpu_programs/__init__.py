"""Programs written for GPUs, run unchanged on the CPU: PyTorch's ``cuda``, CuPy and cuTile are patched.

`routed` does it for a ``with`` block, `start` for the rest of the process, `run_script` for a Python file.
Importing this package imports neither PyTorch nor cuTile; they are changed when the program imports them.
"""

from __future__ import annotations

from tilewright.gpu_programs.launches import LaunchRecord
from tilewright.gpu_programs.routing import Routing, active, routed, start, stop
from tilewright.gpu_programs.script import run_script
from tilewright.gpu_programs.settings import ProgramSettings

__all__ = ["LaunchRecord", "ProgramSettings", "Routing", "active", "routed", "run_script", "start", "stop"]

"""A strict simulator of PTX: kernels run on arrays with a lane for each thread, and undefined behaviour is
reported.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tilewright.ptxsim.asynchronous.tensormaps import Im2col, TensorMap
    from tilewright.ptxsim.host.regions import Multicast
    from tilewright.ptxsim.running import SimulationReport, launch

__all__ = ["Im2col", "Multicast", "SimulationReport", "TensorMap", "launch"]
_ELSEWHERE = {
    "Im2col": "asynchronous.tensormaps",
    "Multicast": "host.regions",
    "TensorMap": "asynchronous.tensormaps",
}


def __getattr__(name: str) -> Any:
    """Import a public name on first use and return it, so that the diagnostic codes of the simulator can be
    read where NumPy is not installed. Raises `AttributeError` for another name.
    """
    if name not in __all__:
        raise AttributeError(f"module 'tilewright.ptxsim' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{_ELSEWHERE.get(name, 'running')}"), name)

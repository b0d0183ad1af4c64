"""The libraries that are compared, each in a process of its own.

A peer is a module with ``make() -> Peer``, which raises ImportError when its library is not installed.  ``worker`` is
the program of such a process, ``process`` the other end of the pipe.
"""

from __future__ import annotations

PEERS = ("tilewright", "numpy", "torch", "torch.compile", "jax", "numba")
"""All subjects, this project first."""
OURS = "tilewright"
MODULES = {
    "tilewright": "benchmarks.cpu_peers.tilewright_peer",
    "numpy": "benchmarks.cpu_peers.numpy_peer",
    "torch": "benchmarks.cpu_peers.torch_peer",
    "torch.compile": "benchmarks.cpu_peers.torch_compile_peer",
    "jax": "benchmarks.cpu_peers.jax_peer",
    "numba": "benchmarks.cpu_peers.numba_peer",
}

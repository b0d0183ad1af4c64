"""The Triton back end: unmodified ``@triton.jit`` kernels on the CPU, and under the checks.

Triton finds it by the entry point ``triton.backends`` and uses it where the environment variable
``TRITON_DEFAULT_BACKEND`` is ``tilewright``, in ``tilewright run`` and in ``pytest --tilewright`` (``pip install
'tilewright[triton]'``).  Triton's own front end makes its first IR, TTIR; from there on everything is tilewright's.
`import triton` loads this package, `compiler` and `driver`, which load nothing of the rest.
"""

from __future__ import annotations

NAME = "tilewright"
"""The value of the environment variable ``TRITON_DEFAULT_BACKEND`` that selects this back end."""
TARGET = "cpu"
"""The name of the target, which programs compare with ``cuda`` and ``hip``, and pass to ``torch.device``."""

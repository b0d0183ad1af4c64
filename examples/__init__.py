"""cuTile kernels with a NumPy check each.

``python -m examples.demo`` runs all of them, ``python -m examples.fft`` or ``python examples/fft.py`` one.  They import one
another by plain names, as scripts find them; here their folder is made known to those who import the package.
"""

import sys
from pathlib import Path

_FOLDER = str(Path(__file__).resolve().parent)
if _FOLDER not in sys.path:
    sys.path.append(_FOLDER)

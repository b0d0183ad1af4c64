"""PTX as a model: text to modules and back, with one table of all instructions.

The model knows nothing of the intermediate representations of the compiler; it shares their diagnostics only.
"""

from __future__ import annotations

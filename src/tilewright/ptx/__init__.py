"""PTX as a model: text to modules and back, with a table of all instructions.

The model does not depend on the intermediate representations of the compiler; it shares their diagnostics
only.
"""

from __future__ import annotations

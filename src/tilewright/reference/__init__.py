"""Reference pages, derived from the declarations: `explain` returns one, `python -m tilewright.reference` writes
all.
"""

from __future__ import annotations

from tilewright.reference.library import explain, names, suggestions
from tilewright.reference.pages import pages, write_pages

__all__ = ["explain", "names", "pages", "suggestions", "write_pages"]

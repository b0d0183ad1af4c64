"""What instructions do: one rule for each, by its name in the table."""

from __future__ import annotations

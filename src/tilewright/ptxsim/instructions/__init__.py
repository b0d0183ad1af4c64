"""The semantics of instructions: a rule for each, by its name in the table."""

from __future__ import annotations

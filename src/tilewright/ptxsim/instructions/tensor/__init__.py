"""Tensor memory and its products."""

from __future__ import annotations

"""Asynchronous operations: copies, barriers in shared memory, and matrix products."""

from __future__ import annotations

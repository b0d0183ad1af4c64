"""Races: who knows of which accesses, and what passes that on."""

from __future__ import annotations

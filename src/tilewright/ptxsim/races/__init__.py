"""Race detection: vector clocks of threads, and the synchronisation that joins them."""

from __future__ import annotations

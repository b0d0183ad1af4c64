"""Operations that go on behind the threads that started them: copies, barriers in memory, and matrix products."""

from __future__ import annotations

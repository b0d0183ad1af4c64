"""Executors of other machines, by the address of their scheduler: ``dask://HOST:PORT``.

Workers import the functions they run and open files by their names, so they need the same packages and the same file
system.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from importlib import import_module
from typing import Any, TypeVar
from urllib.parse import urlsplit

from tilewright.ir.diagnostic import failure
from tilewright.runtime import codes

_R = TypeVar("_R")

PATIENCE = 10.0
"""The seconds in which a scheduler must reply, and must have a worker."""


class ClusterExecutor(Executor, ABC):
    """An executor whose workers are not this machine's processors."""

    @abstractmethod
    def processors(self) -> int:
        """Return the number of tasks that the workers run at a time; workers may join and leave."""


class DaskCluster(ClusterExecutor):
    """The workers of a Dask scheduler at ``HOST:PORT``. Raises `DiagnosticError` if Dask is missing, or if
    the scheduler does not reply or has no worker in `PATIENCE` seconds.
    """

    def __init__(self, address: str) -> None:
        self._client: Any = _client(address)
        # Not pure: work that is tried again is new work, and not the old failure that the scheduler remembers.
        self._executor: Executor = self._client.get_executor(pure=False)

    def submit(self, fn: Callable[..., _R], /, *args: Any, **kwargs: Any) -> Future[_R]:
        return self._executor.submit(fn, *args, **kwargs)

    def processors(self) -> int:
        return max(1, sum(self._client.nthreads().values()))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect from the scheduler, which goes on. With `wait` and without `cancel_futures`, the work of
        this executor is waited for; otherwise unfinished work is cancelled.
        """
        self._executor.shutdown(wait=wait and not cancel_futures)
        self._client.close()


def _client(address: str) -> Any:
    """Return a client of a scheduler that has a worker. Raises `DiagnosticError` if Dask is missing, or if
    the scheduler does not reply or has no worker in `PATIENCE` seconds.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        hint = 'install "dask[distributed]", which the extra `scale` brings, here and on the workers'
        raise failure(
            codes.NO_CLUSTER, f"'dask://{address}' needs Dask, which is not installed", hint=hint
        ) from error
    client: Any = None
    try:
        client = distributed.Client(f"tcp://{address}", timeout=PATIENCE, set_as_default=False)
        client.wait_for_workers(1, timeout=PATIENCE)
    except (OSError, TimeoutError) as error:
        has = "has no worker" if client is not None else "does not answer"
        if client is not None:
            with contextlib.suppress(OSError, TimeoutError):
                client.close()
        hint = f"start `dask scheduler` there, and workers with `dask worker {address} --nthreads 1`"
        message = f"the scheduler of 'dask://{address}' {has} within {PATIENCE:g} seconds"
        raise failure(codes.NO_CLUSTER, message, hint=hint) from error
    return client


SCHEMES: dict[str, Callable[[str], ClusterExecutor]] = {"dask": DaskCluster}
"""The class of the executor for a scheduler at ``HOST:PORT``, by the scheme of the address."""


def executor_at(address: str) -> Callable[[], ClusterExecutor]:
    """Return a function that connects to the scheduler at an address such as ``dask://10.0.0.1:8786``.

    Raises `DiagnosticError` for an invalid address. It does not connect before the function is called.
    """
    known = ", ".join(f"{scheme}://HOST:PORT" for scheme in SCHEMES)
    try:
        parts = urlsplit(address)
        is_whole = bool(parts.hostname and parts.port) and not (parts.path or parts.query or parts.fragment)
    except ValueError:  # of a port that is no number, or a bracket that is not closed
        is_whole, parts = False, urlsplit("")
    if parts.scheme in SCHEMES and is_whole:
        return partial(SCHEMES[parts.scheme], parts.netloc)
    raise failure(codes.BAD_EXECUTOR, f"'{address}' is no address of an executor", hint=f"write {known}")

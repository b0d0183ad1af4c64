"""Changes to modules when they are imported: a module that the program does not import costs nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import FrameType, ModuleType
from typing import Any, cast

from tilewright.ir.support.collection import paused_collection

Change = Callable[[ModuleType], object]


def runs_within(prefix: str) -> bool:
    """Return whether a caller of this function, in this thread, is a function of a module whose name begins
    with `prefix`.
    """
    frame = cast("FrameType | None", vars(sys)["_getframe"](1))
    while frame is not None and not str(frame.f_globals.get("__name__", "")).startswith(prefix):
        frame = frame.f_back
    return frame is not None


class Hooks(MetaPathFinder):
    """Calls functions with modules as soon as these are loaded, and provides some packages with their
    submodules, whether they are installed or not.

    ``changes`` has the functions by the names of the modules. ``packages`` are the names of provided
    packages; ``provide`` returns the module of a name in them, or None if there is none.
    """

    def __init__(
        self,
        changes: Mapping[str, Change],
        packages: Collection[str],
        provide: Callable[[str], ModuleType | None],
    ) -> None:
        self._changes = dict(changes)
        self._packages = packages
        self._provide = provide
        self._finding: set[str] = set()
        self._shadowed: dict[str, ModuleType] = {}

    def install(self) -> None:
        """Start to watch imports, and change modules that are already loaded. Modules of the provided
        packages that are already loaded are hidden until `remove`.
        """
        sys.meta_path.insert(0, self)
        self._shadowed = self._forget_packages()
        for name, change in self._changes.items():
            if name in sys.modules:
                change(sys.modules[name])

    def remove(self) -> None:
        """Stop watching imports, remove the provided modules from `sys.modules`, and restore the modules that
        they hid.
        """
        sys.meta_path.remove(self)
        self._forget_packages()
        sys.modules.update(self._shadowed)

    def _forget_packages(self) -> dict[str, ModuleType]:
        names = [name for name in sys.modules if self._is_provided(name)]
        return {name: sys.modules.pop(name) for name in names}

    def _is_provided(self, name: str) -> bool:
        return name.partition(".")[0] in self._packages

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the specification of a provided module, or of a module that is to be changed, with a loader
        that changes it after loading; None for other modules and modules that do not exist.
        """
        if self._is_provided(fullname):
            module = self._provide(fullname)
            return None if module is None else ModuleSpec(fullname, _Provider(module), is_package=True)
        if fullname not in self._changes or fullname in self._finding:
            return None
        self._finding.add(fullname)
        try:
            spec = find_spec(fullname)
        finally:
            self._finding.discard(fullname)
        if spec is None or spec.loader is None:
            return None
        spec.loader = _ChangingLoader(spec.loader, self._changes[fullname])
        return spec


class _ChangingLoader(Loader):
    """Loads a module by its own loader, then changes it."""

    def __init__(self, loader: Any, change: Change) -> None:
        self._loader = loader
        self._change = change

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        with paused_collection():  # large packages: their modules stay alive
            self._loader.exec_module(module)
            self._change(module)

    def __getattr__(self, name: str) -> Any:  # get_source and the like, which debuggers ask for
        return getattr(self._loader, name)


class _Provider(Loader):
    """Loads a provided module, which exists in no file."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: a provided module is complete."""

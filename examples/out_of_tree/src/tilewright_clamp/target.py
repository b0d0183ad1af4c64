"""The target `listing`: its code is a list of operations, and a launch prints it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tilewright.driver.target import LaunchableKernel
from tilewright.ir.operation import Operation
from tilewright.runtime.image import Image
from tilewright.targets.stage import Compilation, Stage, TargetHooks, TargetOption


def listing_of(compilation: Compilation, module: Operation) -> str:
    """The names of the operations, one in a line, with a number in front if it is asked for."""
    names = [op.kind.name for op in module.walk()]
    if compilation.option("numbers"):
        names = [f"{number} {name}" for number, name in enumerate(names)]
    return "".join(f"{name}\n" for name in names)


HOOKS = TargetHooks(
    stages=(Stage("listing", "names of operations", ".listing", "tileas", write=listing_of),),
    code="listing",
    kernels=lambda _: (),
    options=(TargetOption("numbers", False, "Number the operations of a listing."),),
    identity=lambda options: options["numbers"],
)


class ListingKernel(LaunchableKernel):
    """A kernel whose launch prints its listing."""

    def __init__(self, listing: str) -> None:
        self.listing = listing

    def launch(
        self,
        grid: tuple[int, int, int],
        arguments: Sequence[Any],
        threads: int | None = None,
        memory: Sequence[Any] = (),
        /,
    ) -> None:
        """Print the listing, whatever the grid is."""
        print(self.listing, end="")


class _AnyKernel(dict[str, ListingKernel]):
    """A listing does not say which kernels it is of: every name is one."""

    def __init__(self, kernel: ListingKernel) -> None:
        super().__init__()
        self.kernel = kernel

    def __missing__(self, name: str) -> ListingKernel:
        return self.kernel

    def __contains__(self, name: object) -> bool:
        return True


class Listing:
    """The loader of the target."""

    def __init__(self, image: Image) -> None:
        self.kernels: Mapping[str, ListingKernel] = _AnyKernel(ListingKernel(image.object_code.decode()))

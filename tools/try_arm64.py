"""Tries tilewright on Arm without one: the README's race, the demo and generated kernels, in a Debian for arm64 that QEMU
runs.

    sudo python tools/try_arm64.py [--root build/arm64] [--modules 340]

Needs Linux, root, the packages `debootstrap` and `qemu-user-static` of Debian or Ubuntu (on a machine without systemd
also their entry in binfmt_misc, see `REGISTER`), and the network.  The wheels are those that `pip` would take on such a
machine.  The first run takes a quarter of an hour; the next ones keep the folder, and take minutes, and half an hour more
for 340 modules with about 500 kernels.  Not part of CI.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

SUITE, MIRROR = "bookworm", "http://deb.debian.org/debian"
PACKAGES = "python3,python3-venv,ca-certificates"
PYTHON = "3.11"
"""The Python of the suite."""
PLATFORMS = (
    "manylinux_2_28_aarch64",
    "manylinux_2_27_aarch64",
    "manylinux_2_17_aarch64",
    "manylinux2014_aarch64",
)
"""Tags of wheels that run there: the suite has the C library 2.36."""
ENTRY = Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")
REGISTER = (
    "mount -t binfmt_misc none /proc/sys/fs/binfmt_misc; "
    "cat /usr/lib/binfmt.d/qemu-aarch64.conf > /proc/sys/fs/binfmt_misc/register"
)
"""What systemd does when `qemu-user-static` is installed."""
RACE = (
    "race.py:8:22: error[TW0406]: kernel 'add_up' in tile block",
    "race.py:8:5: note: the other access is here",
)
"""Words of the README's finding that every run has."""
GENERATED = "tests.targets.cpu.programs.generated_programs"
"""The program that compares generated kernels with the interpreter."""
SEED = "arm64"
OF_TESTS = ("hypothesis", "pytest")
"""Packages that the program needs."""


MOUNTED = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
"""Runs the words behind the folder in it, with the processes and processors of this machine."""


def run(*words: str, **options: object) -> None:
    """Run a program, shown.  Raises `CalledProcessError`."""
    print("$", *words, file=sys.stderr, flush=True)
    subprocess.run(words, check=True, **options)  # pyright: ignore[reportCallIssue, reportArgumentType]


def inside(root: Path, *words: str) -> tuple[int, str, float]:
    """Run a program in the folder as root directory: exit status, what it printed, and seconds."""
    print("arm64$", *words, file=sys.stderr, flush=True)
    began = time.monotonic()
    variables = ["PATH=/opt/tilewright/bin:/usr/bin:/bin", "HOME=/root", "LC_ALL=C.UTF-8"]
    enter = ["/usr/bin/env", "-i", "-C", "/work", *variables, *words]
    # The mount ends with the namespace, however the program ends.
    command = ["unshare", "--mount", "sh", "-c", MOUNTED, str(root), *enter]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout, time.monotonic() - began


def make_wheels(folder: Path) -> None:
    """Put the wheel of this checkout, and those for Arm of what it needs, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    pip = (sys.executable, "-m", "pip", "--quiet")
    run(*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT))
    (wheel,) = folder.glob("tilewright-*.whl")
    platforms = [word for name in PLATFORMS for word in ("--platform", name)]
    versions = ("--only-binary=:all:", "--python-version", PYTHON, *platforms)
    run(*pip, "download", *versions, "--dest", str(folder), f"{wheel}[cutile]", *OF_TESTS)


def make_root(root: Path) -> None:
    """Install Debian for arm64 into a folder, unless it is there."""
    if not (root / "usr" / "bin" / "python3").exists():
        run(
            "debootstrap",
            "--arch=arm64",
            "--variant=minbase",
            f"--include={PACKAGES}",
            SUITE,
            str(root),
            MIRROR,
        )


def install(root: Path, wheels: Path) -> None:
    """Install the wheels into an environment there, and copy the examples and the tests."""
    work = root / "work"
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(wheels, work / "wheels")
    for name in ("examples", "tests"):
        shutil.copytree(ROOT / name, work / name, ignore=shutil.ignore_patterns("__pycache__"))
    steps = (
        ("python3", "-m", "venv", "/opt/tilewright"),
        (
            "pip",
            "install",
            "--quiet",
            "--no-index",
            "--find-links",
            "wheels",
            "--force-reinstall",
            "tilewright[cutile]",
            *OF_TESTS,
        ),
    )
    for words in steps:
        status, printed, _ = inside(root, *words)
        if status:
            raise SystemExit(f"{' '.join(words)} ended with status {status}:\n{printed}")


def readme_race() -> str:
    """Return the first program of the README."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return text.partition("```python\n")[2].partition("```")[0]


def wrong_race(status: int, printed: str) -> str | None:
    """Return what is not as the README shows it; None if all is."""
    missing = [words for words in RACE if words not in printed]
    return f"the race ended with status {status} without {missing}" if status != 1 or missing else None


def wrong_demo(status: int, printed: str) -> str | None:
    """Return what is wrong with the demo's table; None if every row says yes."""
    rows = [line for line in printed.splitlines()[1:] if line.strip()]
    bad = [row for row in rows if not row.rstrip().endswith("yes")]
    return f"the demo ended with status {status}, and says {bad}" if status or bad or not rows else None


def wrong_kernels(status: int, printed: str) -> str | None:
    """Return what is wrong with the count of the generated kernels; None if none differs and most ran to their end."""
    counts: list[str] = re.findall(r"^ *(\d+) same$", printed, re.MULTILINE)
    same = sum(map(int, counts))
    return (
        f"the generated kernels ended with status {status}, {same} the same" if status or not same else None
    )


def tried(root: Path, modules: int) -> list[str]:
    """Run the race, the demo and the kernels of `modules` generated modules; returns what went wrong."""
    (root / "work" / "race.py").write_text(readme_race(), encoding="utf-8")
    found: list[str] = []
    python = ("python", "-m")
    for words, judge in (
        ((*python, "tilewright", "run", "--check", "racecheck", "race.py"), wrong_race),
        ((*python, "examples.demo"), wrong_demo),
        *([((*python, GENERATED, SEED, str(modules)), wrong_kernels)] if modules else ()),
    ):
        status, printed, seconds = inside(root, *words)
        print(printed, end="")
        print(f"# {' '.join(words)}: status {status}, {seconds:.0f} s")
        wrong = judge(status, printed)
        found += [wrong] if wrong else []
    print(inside(root, "python", "-m", "tilewright", "doctor")[1], end="")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; answers 1 if something did not work."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--root", type=Path, default=ROOT / "build" / "arm64", help="where Debian is installed"
    )
    parser.add_argument("--modules", type=int, default=0, help="how many generated modules are compared")
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    if not ENTRY.exists():
        raise SystemExit(f"this machine does not run programs for Arm; as root:\n    {REGISTER}")
    wheels = root.with_name(f"{root.name}-wheels")
    make_wheels(wheels)
    make_root(root)
    install(root, wheels)
    wrong = tried(root, options.modules)
    print("\n".join(wrong) or "all of it works on arm64")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())

"""Tries the extension of VS Code in a real editor: VS Code itself, as code-server serves it, in a headless Chromium.

    python tools/try_editor.py            # package the extension, install code-server, and drive it
    python tools/try_editor.py --package  # package the extension only

Packages come from npm into ``build/editor``; nothing is installed elsewhere.  In the editor, the README's race is run
with checks and shown, ten kernels have the shapes that their comments name, and a breakpoint in the gutter stops in a
kernel, whose tile is shown.  Pictures of each step are beside the package.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "editor"
EXTENSION = ROOT / "editors" / "vscode"
KERNELS = ROOT / "tests" / "language_server" / "kernels.py"
SERVER = BUILD / "server" / "node_modules" / "code-server"
SECONDS = 60.0
"""The time within which each thing must be seen."""
_RACE = re.compile(r"```python\n(import cuda\.tile as ct\n.*?)```", re.DOTALL)
_LAUNCHES = "\n\nfor kernel, given in launches():\n    ct.launch(None, (1,), kernel, given)\n"
"""What makes a program of the ten kernels."""


def npm(words: Sequence[str], folder: Path) -> None:
    """Run npm in a folder. Raises `CalledProcessError` if it fails."""
    sys.path.insert(0, str(ROOT))
    from tools.build_explorer import npm as command

    found = command()
    if found is None:
        raise SystemExit("npm is not installed")
    quiet = ("--no-audit", "--no-fund", "--loglevel=error")
    subprocess.run([*found, *quiet, *words], cwd=folder, check=True, stdout=sys.stderr)


def package() -> Path:
    """Package the extension, and return the file."""
    folder = BUILD / "extension"
    shutil.copytree(EXTENSION, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("node_modules"))
    installed, lock = folder / "node_modules" / ".package-lock.json", folder / "package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        npm(["ci"], folder)
    version = json.loads((folder / "package.json").read_text(encoding="utf-8"))["version"]
    made = BUILD / f"tilewright-{version}.vsix"
    npm(["run", "--silent", "package", "--", "-o", str(made)], folder)
    return made


def install_server() -> None:
    """Install code-server, unless it is there. Its packages are taken without their scripts, which download."""
    if (SERVER / "ready").exists():
        return
    folder = BUILD / "server"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    npm(["install", "code-server@4.100.3", "--ignore-scripts"], folder)
    npm(["rebuild", "argon2"], folder)  # the one part that must be compiled
    editor = SERVER / "lib" / "vscode"
    npm(["install", "--omit=dev", "--ignore-scripts"], editor)
    npm(["install", "--omit=dev", "--ignore-scripts"], editor / "extensions")
    (SERVER / "ready").touch()


def workspace() -> Path:
    """Make a folder with the README's race and a program that launches the ten kernels."""
    folder = BUILD / "workspace"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    race = _RACE.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert race is not None, "the README has its race"
    (folder / "race.py").write_text(race[1], encoding="utf-8")
    text = KERNELS.read_text(encoding="utf-8")
    (folder / "ten.py").write_text(text + _LAUNCHES, encoding="utf-8")
    return folder


@contextmanager
def served(folder: Path, extension: Path) -> Iterator[str]:
    """Serve the editor with the extension and a folder, and yield the address."""
    user, entry = BUILD / "user", SERVER / "out" / "node" / "entry.js"
    shutil.rmtree(user, ignore_errors=True)
    for part in ("User", "Machine"):
        (user / part).mkdir(parents=True)
    settings = {
        "tilewright.command": [sys.executable, "-m", "tilewright"],
        "workbench.startupEditor": "none",
        "security.workspace.trust.enabled": False,
        "window.commandCenter": False,
        "editor.minimap.enabled": False,
        "telemetry.telemetryLevel": "off",
    }
    command_setting = {name: value for name, value in settings.items() if name.startswith("tilewright.")}
    (user / "User" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    (user / "Machine" / "settings.json").write_text(json.dumps(command_setting), encoding="utf-8")
    places = ["--user-data-dir", str(user), "--extensions-dir", str(user / "extensions")]
    variables = {**os.environ, "TILEWRIGHT_CACHE_DIR": str(BUILD / "cache"), "XDG_CONFIG_HOME": str(user)}
    shutil.rmtree(BUILD / "cache", ignore_errors=True)
    command = ["node", str(entry), *places]
    with open(BUILD / "server.log", "w", encoding="utf-8") as log:
        said: dict[str, Any] = {"stdout": log, "stderr": subprocess.STDOUT, "env": variables}
        subprocess.run([*command, "--install-extension", str(extension)], check=False, **said)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        options = ["--auth", "none", "--bind-addr", f"127.0.0.1:{port}", "--disable-telemetry"]
        options += ["--disable-update-check", "--disable-workspace-trust"]
        process = subprocess.Popen([*command, *options, str(folder)], start_new_session=True, **said)
        try:
            until(lambda: _answers(port), "the editor is served")
            yield f"http://127.0.0.1:{port}/?folder={folder}"
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()


def _answers(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def until(seen: Callable[[], Any], what: str) -> Any:
    """Wait until a function returns something true, and return it; end the program after `SECONDS`."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        found = seen()
        if found:
            return found
        time.sleep(0.2)
    raise AssertionError(f"not seen within {SECONDS:g} s: {what}")


_LINES = """
() => [...document.querySelectorAll(".editor-instance .view-line")].map((line) => {
  const box = line.getBoundingClientRect();
  return [box.top, box.height, line.innerText];
})
"""
"""The lines in view, at one moment."""


class Editor:
    """The editor in a page of a browser."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self._pictures = 0

    def lines(self) -> list[str]:
        """Return the lines in view with their hints, in order."""
        return [text for _, _, text in self._placed()]

    def _placed(self) -> list[tuple[float, float, str]]:
        """Return the lines in view: the top, the height and the text of each, in order."""
        found: list[tuple[float, float, str]] = self.page.evaluate(_LINES)
        return sorted((top, height, text.replace("\xa0", " ")) for top, height, text in found)

    def open(self, name: str) -> None:
        """Open a file of the folder."""
        row = f'.explorer-folders-view .monaco-list-row[aria-label^="{name}"]'
        self.page.wait_for_selector(row, timeout=1000 * SECONDS)
        self.page.dblclick(row)
        self.page.wait_for_selector(f'.tab.active[aria-label^="{name}"]', timeout=1000 * SECONDS)

    def command(self, title: str) -> None:
        """Run a command by its title in the palette, as soon as the palette has it."""

        def is_listed() -> bool:
            self.page.keyboard.press("F1")
            self.page.wait_for_selector(".quick-input-widget input")
            self.page.keyboard.type(title)
            self.page.wait_for_timeout(500)
            listed = self.page.query_selector(f'.quick-input-widget .monaco-list-row[aria-label*="{title}"]')
            self.page.keyboard.press("Enter" if listed else "Escape")
            return listed is not None

        until(is_listed, f"the command '{title}'")

    def reveal(self, line: int) -> None:
        """Move the cursor to a line, which comes into view."""
        self.page.keyboard.press("Control+G")
        self.page.wait_for_selector(".quick-input-widget input")
        self.page.keyboard.type(str(line))
        self.page.keyboard.press("Enter")

    def click_gutter(self, text: str) -> None:
        """Click in the gutter beside the first line in view that contains a text."""
        margin = self.page.query_selector(".editor-instance .margin").bounding_box()
        for top, height, shown in self._placed():
            if text in shown:
                self.page.mouse.click(margin["x"] + 10, top + height / 2)
                return
        raise AssertionError(f"no line with '{text}' is in view")

    def picture(self, name: str) -> None:
        """Keep a picture of the page."""
        self._pictures += 1
        self.page.screenshot(path=str(BUILD / f"{self._pictures}-{name}.png"))


def try_race(editor: Editor) -> None:
    """Run the README's race with checks, and look for its finding and the shape of its tile."""
    editor.open("race.py")
    editor.command("tilewright: Run with Checks")
    until(lambda: editor.page.query_selector(".squiggly-error"), "a wavy line below the race")
    until(lambda: any("part: tile<f32>" in line for line in editor.lines()), "the shape of 'part'")
    editor.picture("race")
    editor.command("View: Toggle Problems")
    shown = ".markers-panel .monaco-list-row"
    texts = until(lambda: [one.inner_text() for one in editor.page.query_selector_all(shown)], "problems")
    problem = next(one for one in texts if "TW0406" in one)
    assert "load of out[0] races with the store in tile block" in problem, problem
    editor.command("View: Toggle Problems")
    print("race.py: the finding is shown:", " ".join(problem.split())[:90])


def try_shapes(editor: Editor) -> None:
    """Run the ten kernels, and compare each hint with the comment of its line."""
    editor.open("ten.py")
    editor.command("tilewright: Run with Checks")
    text = (BUILD / "workspace" / "ten.py").read_text(encoding="utf-8").splitlines()
    wanted = {line.partition("#")[2].strip(): None for line in text if "# tile<" in line}
    assert wanted
    checked = set[int]()
    for number in range(1, len(text), 20):
        editor.reveal(min(number + 10, len(text)))
        expected = [at for at in range(number - 1, min(number + 19, len(text))) if "# tile<" in text[at]]
        for at in expected:
            until(lambda at=at: _shows(editor, text[at]), f"the shapes of line {at + 1}: {text[at]}")
            checked.add(at)
    editor.reveal(12)
    until(lambda: _shows(editor, next(line for line in text if "# tile<" in line)), "the first shape again")
    editor.picture("shapes")
    print(f"ten.py: the shapes of {len(checked)} assignments are those of their comments")


def _shows(editor: Editor, line: str) -> bool:
    """Return whether a line of the program is in view, with hints of the types in its comment."""
    code, _, comment = line.partition("#")
    types = re.findall(r"tile<\S+>", comment)
    for shown in editor.lines():
        hinted = re.findall(r": (tile<[^>]+>)", shown.partition("#")[0])
        if (
            re.sub(r": tile<[^>]+>", "", shown.partition("#")[0]).rstrip() == code.rstrip()
            and hinted == types
        ):
            return True
    return False


def try_debugger(editor: Editor) -> None:
    """Set a breakpoint in the gutter, stop there, and look at the tile."""
    editor.open("race.py")
    editor.click_gutter("ct.store(out")
    until(lambda: editor.page.query_selector(".codicon-debug-breakpoint"), "a breakpoint in the gutter")
    editor.command("tilewright: Debug Kernels of This Program")
    until(lambda: editor.page.query_selector(".debug-top-stack-frame-line"), "a stop in the kernel")
    rows = ".debug-view-content .monaco-list-row"
    texts = until(
        lambda: [one for one in map(_text, editor.page.query_selector_all(rows)) if one.startswith("part")],
        "the variable 'part'",
    )
    editor.picture("debugger")
    assert "16.0" in texts[0], texts
    print("race.py: stopped at the breakpoint:", texts[0])


def _text(row: Any) -> str:
    return " ".join(row.inner_text().split())


def main() -> None:
    """Package the extension, and try it."""
    made = package()
    print(f"packaged {made.relative_to(ROOT)}, {made.stat().st_size} bytes", flush=True)
    if "--package" in sys.argv[1:]:
        return
    from playwright.sync_api import sync_playwright

    from tests.support.browser import CHROMIUM

    install_server()
    with served(workspace(), made) as address, sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        editor = Editor(browser.new_page(viewport={"width": 1500, "height": 1000}))
        editor.page.goto(address)
        editor.page.wait_for_selector(".monaco-workbench", timeout=1000 * SECONDS)
        try:
            for step in (try_race, try_shapes, try_debugger):
                step(editor)
        except BaseException:
            editor.picture("failed")
            raise
        browser.close()


if __name__ == "__main__":
    main()

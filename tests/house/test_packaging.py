"""What the project promises about installing it is true of the files that say how it is installed."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

from tests.house.documents import documents
from tests.house.tree import ROOT, files, relative
from tilewright.cli.commands.doctor import PACKAGES
from tilewright.driver import dependencies
from tilewright.version import __version__
from tools import install

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
MODULES = {
    "cuda-tile": "cuda.tile",
    "pyelftools": "elftools",
    "ipython": "IPython",
    "cuda-bindings": "cuda.bindings",
    "z3-solver": "z3",
}
"""The module of a distribution, where it has another name."""
WORKFLOW = (ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")


def python_versions() -> list[str]:
    """The versions of Python that the classifiers name."""
    heads = (text.removeprefix("Programming Language :: Python :: ") for text in PROJECT["classifiers"])
    return [head for head in heads if re.fullmatch(r"3\.\d+", head)]


def test_every_version_of_python_that_is_named_is_tested() -> None:
    matrix = re.search(r"python: \[(.*)\]", WORKFLOW)
    assert matrix is not None
    assert re.findall(r'"(3\.\d+)"', matrix[1]) == python_versions()
    assert PROJECT["requires-python"] == f">={python_versions()[0]}"


@pytest.mark.parametrize("page", ["README.md", "docs/guides/platforms.md"])
def test_pages_promise_the_versions_of_python_that_are_named(page: str) -> None:
    promised = re.findall(r"Python (3\.\d+)\s+to\s+(3\.\d+)", (ROOT / page).read_text(encoding="utf-8"))
    assert promised
    assert set(promised) == {(python_versions()[0], python_versions()[-1])}


def test_versions_of_python_that_are_only_tried_may_fail() -> None:
    """Jobs of the workflow that take a version nobody promises."""
    jobs = re.split(r"\n(?=  [\w-]+:\n)", WORKFLOW.partition("\njobs:")[2])
    tried = [job for job in jobs if set(re.findall(r'"(3\.\d+)"', job)) - {*python_versions()}]
    assert all("continue-on-error: true" in job for job in tried)


def test_every_version_of_cutile_that_is_named_is_tested() -> None:
    """The workflow has a row for each release that `tilewright doctor` names; the extra takes the oldest."""
    (purpose,) = (purpose for name, _, purpose in PACKAGES if name == "cuda-tile")
    named = re.findall(r"\d+\.\d+", purpose)
    (row,) = re.findall(r"cutile: \[(.*)\]", WORKFLOW)
    assert re.findall(r'"([\d.]+)"', row) == named == ["1.6", "1.7"]
    assert any(one.startswith(f"cuda-tile>={named[0]};") for one in EXTRAS["cutile"])


@pytest.mark.parametrize("name", ["Makefile", "pyproject.toml"])
def test_no_package_index_is_named_by_its_address(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    for url in PROJECT["urls"].values():
        text = text.replace(f'"{url}"', "")
    assert re.findall(r"https?://\S+|--(?:extra-)?index-url", text) == []


def _pages() -> list[Path]:
    return [*documents(), *(path for path in files("packages", "changelog.d") if path.suffix == ".md")]


def test_documents_install_from_what_there_is() -> None:
    """tilewright is on no package index: it is installed from a checkout or a wheel.

    Once it is installed, ``pip install 'tilewright[extra]'`` brings the packages of an extra, and only the hints of
    the program say so.
    """
    pages = [page for page in _pages() if page.name != "diagnostics.md"]  # the hints, collected
    found = [
        f"{relative(page)}: {line}"
        for page in pages
        for line in re.findall(
            r"pip install (?:-\S+ )*['\"]?tilewright\b.*", page.read_text(encoding="utf-8")
        )
    ]
    assert found == []


def test_the_readme_names_the_wheel_of_this_version() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"tilewright-([\d.]+)-py3", text)) == {__version__}


def test_what_is_recommended_exists() -> None:
    """Hints name extras that there are, and quote the brackets, which shells expand otherwise."""
    for path in files("src"):
        if path.suffix == ".py":
            text = path.read_text(encoding="utf-8")
            for quote, extra in re.findall(r"pip install ('?)tilewright\[(\w+)\]", text):
                assert quote, relative(path)
                assert extra in EXTRAS, relative(path)


def _distributions(extra: str) -> set[str]:
    return {re.split(r"[\s<>=;\[]", line, maxsplit=1)[0].replace("_", "-") for line in EXTRAS[extra]}


def test_doctor_looks_for_what_code_imports() -> None:
    """Every package that doctor recommends is required by its extra and imported by the sources."""
    begins = re.compile(r"\b(?:import |from |import_module\(\")([\w.]+)")
    texts = [path.read_text(encoding="utf-8") for path in files("src") if path.suffix == ".py"]
    lines = [line for text in texts for line in text.splitlines() if "import" in line]
    imported = {f"{name}." for line in lines for name in begins.findall(line)}
    for package, extra, _ in PACKAGES:
        assert package.replace("_", "-") in _distributions(extra), package
        module = MODULES.get(package, package)
        assert any(name.startswith(f"{module}.") for name in imported), package


def test_doctor_looks_for_all_that_is_required() -> None:
    required = {module for extra in ("cpu", "inspect") for module in dependencies.PACKAGES[extra]}
    looked_for = {package for package, _, _ in PACKAGES}
    assert required <= {MODULES.get(package, package) for package in looked_for}


def test_this_version_of_python_is_named() -> None:
    named = [tuple(map(int, version.split("."))) for version in python_versions()]
    if sys.version_info[:2] > named[-1]:
        pytest.skip("a version that is only tried")
    assert sys.version_info[:2] in named


def test_the_plugin_of_pytest_comes_with_the_package() -> None:
    """Its name is that of its module, so ``-p`` and the entry point together load it once."""
    assert PROJECT["entry-points"]["pytest11"] == {"tilewright.pytest_plugin": "tilewright.pytest_plugin"}
    assert not (ROOT / "packages" / "pytest-tilewright").exists()


def test_the_wheel_has_what_python_reads_when_it_starts() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    included: dict[str, str] = settings["targets"]["wheel"]["force-include"]
    assert included == {"src/tilewright.pth": "tilewright.pth"}
    (line,) = (ROOT / "src" / "tilewright.pth").read_text(encoding="utf-8").splitlines()
    assert line.startswith("import ")  # other lines would be folders for sys.path


def test_all_brings_what_the_other_extras_of_users_bring() -> None:
    """The rest is for developers of tilewright, or hands work to other machines."""
    (words,) = EXTRAS["all"]
    named = re.fullmatch(r"tilewright\[([\w,]+)\]", words)
    assert named is not None
    assert {*named[1].split(","), "cpu"} == EXTRAS.keys() - {"all", "bench", "dev", "docs", "scale"}


@pytest.mark.parametrize(("extra", "marker"), [("cutile", "!= 'Darwin'"), ("triton", "== 'Linux'")])
def test_frontends_are_left_out_where_they_have_no_wheel(extra: str, marker: str) -> None:
    (frontend,) = [line for line in EXTRAS[extra] if not line.startswith("tilewright")]
    assert frontend.endswith(f"; platform_system {marker}")
    page = (ROOT / "docs" / "guides" / "platforms.md").read_text(encoding="utf-8")
    assert f"`{extra}`" in page


def test_a_source_distribution_has_what_runs() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    included = settings["targets"]["sdist"]["only-include"]
    assert {"src", "README.md", "pyproject.toml", *PROJECT["license-files"]} <= {*included}
    assert all((ROOT / name).exists() for name in included)
    assert {"tests", "benchmarks", "conformance", "fuzz", "docs"}.isdisjoint(included)


def test_the_repository_has_one_address() -> None:
    """That of the metadata is where the templates and the guide take the action and the package from."""
    urls: dict[str, str] = PROJECT["urls"]
    address = urls["Repository"]
    assert all(url == address or url.startswith(f"{address}/") for url in urls.values())
    name = address.removeprefix("https://github.com/")
    for file in ("docs/guides/ci.md", "examples/ci/github.yml", "examples/ci/gitlab.yml"):
        text = (ROOT / file).read_text(encoding="utf-8")
        named = re.findall(r"(?:uses: |github\.com/)([\w.-]+/[\w.-]+)@main", text)
        assert set(named) <= {name}, file
        assert named or name in text, file
    tracked = (ROOT / "pyproject.toml", ROOT / "action.yml", ROOT / "README.md")
    assert not any(re.search(r"\bOWNER\b", path.read_text(encoding="utf-8")) for path in tracked)


def test_make_installs_into_environments_without_pip() -> None:
    """``uv venv`` makes such: what installs is chosen by tools/install.py."""
    assert "-m pip" not in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_an_environment_without_pip_gets_packages_from_uv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(install.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(install.shutil, "which", lambda name: f"/bin/{name}")
    assert install.installer() == ["/bin/uv", "pip", "install", "--quiet", "--python", sys.executable]


def test_without_uv_pip_is_installed_first(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[list[str]] = []
    monkeypatch.setattr(install.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(install.shutil, "which", lambda name: None)
    monkeypatch.setattr(install.subprocess, "run", lambda command, **rest: ran.append(command))
    assert install.installer() == [sys.executable, "-m", "pip", "install", "--quiet"]
    assert ran == [[sys.executable, "-m", "ensurepip"]]

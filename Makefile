# Two entry points: `make demo` (examples on the CPU) and `make test` (everything CI runs).
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
# With pip, or with uv in environments that uv made.
INSTALL := $(RUN) tools/install.py

.PHONY: demo test quick lint types unit page environment test-processors whole fuzz mutants ptx-forms triton bench bless explorer site changelog dist clean cutile newcomer editor

demo: $(VENV)/.demo
	$(RUN) -m examples.demo

# Types and tests take minutes, so they share the processors; what fails at once comes first.
test: lint
	@$(MAKE) --no-print-directory --jobs=2 types unit

# Changed files and a smoke test of each floor, in at most two minutes on two cores.
quick: $(VENV)/.dev
	$(RUN) -m tools.quick

lint: $(VENV)/.dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

types: $(VENV)/.dev
	$(VENV)/bin/pyright

# Tests start Python many times: what they import is compiled once, whatever the environment says.
unit: export PYTHONDONTWRITEBYTECODE =
unit: $(VENV)/.dev page
	$(RUN) -m pytest --numprocesses=auto --maxprocesses=8 --dist=worksteal --durations=50 --durations-min=2

environment: $(VENV)/.dev

# Long runs, not part of CI.
fuzz: $(VENV)/.dev
	$(INSTALL) atheris
	mkdir -p build/fuzz-corpus
	$(RUN) fuzz/atheris_reader.py -max_total_time=600 build/fuzz-corpus tests/bytecode/fixtures

# The tests of kernels as on processors with SSE4.2, AVX2, AVX-512 without and with BF16, and matrix tiles: those classes
# that this processor has.  Half an hour or more; CI runs them at night.
test-processors: export PYTHONDONTWRITEBYTECODE =
test-processors: $(VENV)/.dev
	$(RUN) -m tools.processors

# What `make test` leaves out, too: the whole replayed corpus, and runs of NVIDIA's tools whose answers are kept.  CI
# runs it at night.
whole: export PYTHONDONTWRITEBYTECODE =
whole: $(VENV)/.dev
	$(RUN) -m pytest --whole --numprocesses=auto --maxprocesses=8 --dist=worksteal

# Small changes of the sources that some test should tell: survivors are listed.  `make mutants SEED=7 COUNT=300`.
SEED ?= 1
COUNT ?= 300
mutants: $(VENV)/.dev
	$(INSTALL) coverage pytest-xdist
	test -e build/mutants/records || $(RUN) -m tools.mutants record
	$(RUN) -m tools.mutants run --seed $(SEED) --count $(COUNT)

# Each form and choice of the table of PTX instructions, held against ptxas: minutes.
ptx-forms: $(VENV)/.dev
	$(RUN) -m tools.ptx_forms

# Tests with Triton's own package, which has a gigabyte; CI does not bring it.
triton: $(VENV)/.dev
	$(INSTALL) -e ".[triton]"
	$(RUN) -m pytest tests/triton_backend tests/dialects/tt

# Tests of the bridge with another release of cuTile, in an environment of its own: make cutile CUTILE=1.6
CUTILE ?= 1.6
CUTILE_VENV := build/cutile-$(CUTILE)
cutile: | $(VENV)/bin/python
	$(RUN) -m venv $(CUTILE_VENV)
	$(CUTILE_VENV)/bin/python tools/install.py -e ".[cpu,inspect]" "cuda-tile==$(CUTILE).*" \
		pytest pytest-timeout pytest-xdist hypothesis nvidia-cuda-tileiras
	$(CUTILE_VENV)/bin/python -m pytest tests/cutile tests/bytecode/test_preview.py

# PyTorch may come with CUDA: CONTRIBUTING.md says how to get its CPU build.
bench: $(VENV)/.dev
	$(INSTALL) -e ".[bench]"
	$(RUN) -m benchmarks.substrate
	$(RUN) -m benchmarks.rewriting
	$(RUN) -m benchmarks.toolchain
	$(RUN) -m benchmarks.startup
	$(RUN) -m benchmarks.cpu
	$(RUN) -m benchmarks.launch
	$(RUN) -m benchmarks.checked
	$(RUN) -m benchmarks.ptxsim
	$(RUN) -m benchmarks.gpu_static
	$(RUN) -m benchmarks.gpu_compile

bless: $(VENV)/.dev
	$(RUN) -m pytest --bless

# The browser's side of `tilewright explore`, which the repository keeps.  Whoever changes its sources builds it anew; npm
# comes with pyright's Node.js where the machine has none.
explorer: $(VENV)/.dev
	$(RUN) tools/build_explorer.py

# It is what its sources give, byte for byte.  Tests in a browser take axe-core, which npm brings with the rest.
page: $(VENV)/.dev
	$(RUN) tools/build_explorer.py --check

# The site of the documentation, in build/site; links that lead nowhere end it.  It shows pages of the explorer.
site: export NO_MKDOCS_2_WARNING = 1
site: $(VENV)/.dev
	$(INSTALL) -e ".[docs]"
	$(RUN) -m mkdocs build --strict

# The fragments of changelog.d as a section of CHANGELOG.md; without VERSION the text is shown and nothing changes.
changelog: $(VENV)/.dev
	$(INSTALL) towncrier
	$(RUN) -m towncrier build $(if $(VERSION),--version $(VERSION) --yes,--version next --draft)

# A wheel and a source distribution in dist/, each installed into a fresh environment and tried out.
dist: | $(VENV)/bin/python
	$(INSTALL) build uv
	rm -rf dist
	$(RUN) -m build --outdir dist .
	$(RUN) tools/try_distribution.py dist

# The extension of VS Code, packaged and tried in VS Code itself, in a headless browser: minutes, and npm packages of 500 MB.
editor: $(VENV)/.dev
	bash .ci/browser
	$(RUN) tools/try_editor.py

# What a newcomer does, in fresh environments: every command of the first pages as printed there.  `make newcomer
# WALK="--environment uv --source wheel"` walks one of the four ways.
newcomer: $(VENV)/.dev
	$(INSTALL) uv
	bash .ci/browser
	$(RUN) -m tools.newcomer $(WALK)

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(VENV)/bin/python
	$(INSTALL) -e ".[cutile]"
	touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(INSTALL) --no-compile -e ".[dev]"
	touch $@ $(VENV)/.demo

clean:
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache .hypothesis

# make demo: set up, and judge the examples on the embedded offline judge.   make test: set up, and run the tests.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

# What differs from one version of Python to the next: tasks and their cancellation (engine, models), threads and SQLite (store), signals
# and processes, pickled errors, and what is loaded when. Arithmetic, readers, pages and tables are the same in all of them.
VERSION_TESTS := tests/engine tests/models tests/store tests/soak tests/testing tests/cli/test_processes.py tests/cli/test_streaming.py \
	tests/hostile/test_library_edges.py tests/hostile/test_signals.py tests/house/test_exports.py tests/house/test_imports.py
ELSEWHERE := not adapters and not browser and not local and not models and not postgres and not ray and not sdk

.PHONY: demo test coverage test-version lint types pages check docs site wheel release test-local test-postgres test-models test-ray test-sdk test-adapters test-browser benchmarks clean

demo: $(VENV)/.installed
	$(BIN)/agentdebate demo

test: $(VENV)/.installed-dev
	$(BIN)/pytest -n auto

# Lines and branches that the tests run, by room, beside the baseline in tests/house/coverage.toml.
coverage: $(VENV)/.installed-dev
	$(BIN)/pytest -n auto --cov=agentdebate --cov-report=
	$(BIN)/python tests/house/coverage_by_room.py

# The part of the tests whose outcome may differ between versions of Python: make PYTHON=python3.13 VENV=.venv-3.13 test-version
test-version: $(VENV)/.installed-dev
	$(BIN)/pytest -n auto -m "$(ELSEWHERE)" $(VERSION_TESTS)

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	$(BIN)/mypy
	$(BIN)/mypy tests/adapters/*.py
	$(BIN)/mypy tests/cli/*.py
	$(BIN)/mypy tests/ray/*.py
	$(BIN)/mypy tests/sdk/*.py
	$(BIN)/mypy tests/local/*.py
	$(BIN)/mypy tests/viewer/*.py
	$(BIN)/mypy tests/contract/*.py tests/contract/held/*.py tests/contract/shown/*.py

# The pages in docs/reference are what the code says.
pages: $(VENV)/.installed-dev
	$(BIN)/python docs/generate.py --check

# Everything that CI runs.
check:
	bash .ci/run

# The pages in docs/reference that are written from the code.
docs: $(VENV)/.installed-dev
	$(BIN)/python docs/generate.py

# The documentation site, in build/site.
site: $(VENV)/.installed-dev
	$(BIN)/sphinx-build -q -W --keep-going -d build/doctrees docs build/site

# The built wheel in an environment of its own.
wheel: $(VENV)/.installed-dev
	VENV=$(VENV) bash .ci/wheel

# The archives of a release in dist, used from clean environments, with a bill of materials and licences.
release: $(VENV)/.installed-dev
	VENV=$(VENV) bash .ci/release

# Every strategy on a small real model on this machine: llama.cpp and 98 MB of weights, both out of packages.
test-local: $(VENV)/.installed-local
	AGENTDEBATE_REQUIRE_LOCAL=1 $(BIN)/pytest -n 0 -m local --durations=3 tests/local

# On a PostgreSQL server that the tests start themselves, on loopback and in a temporary folder.
test-postgres: $(VENV)/.installed-dev
	AGENTDEBATE_REQUIRE_POSTGRES=1 $(BIN)/pytest -m postgres

# On real models: tiny ones made on the spot, and MiniLM where its package is at hand. Brings torch along.
test-models: $(VENV)/.installed-models
	$(BIN)/pytest -m models

# A run on two nodes of Ray on this machine.
test-ray: $(VENV)/.installed-ray
	AGENTDEBATE_REQUIRE_RAY=1 $(BIN)/pytest -n 0 -m ray tests/ray

# Our requests and the fault server's replies against the packages of Anthropic and Google.
test-sdk: $(VENV)/.installed-sdk
	AGENTDEBATE_REQUIRE_SDK=1 $(BIN)/pytest -m sdk tests/sdk

# Judges in the tools that there is an adapter or a page for (docs/how-to/use-it-from-other-tools.md), 900 MB.
test-adapters: $(VENV)/.installed-adapters
	AGENTDEBATE_REQUIRE_ADAPTERS=1 $(BIN)/pytest -n 0 -p no:deepeval -m adapters tests/adapters
	AGENTDEBATE_REQUIRE_ADAPTERS=1 $(BIN)/pytest -n 0 -p no:deepeval -W ignore tests/docs/test_snippets.py -k 'use-it-from-other-tools or in_a_tool'

# The pages in the system's Chromium.
test-browser: $(VENV)/.installed-dev
	AGENTDEBATE_REQUIRE_BROWSER=1 $(BIN)/pytest -n 0 -m browser tests/viewer

benchmarks: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks

$(VENV)/.installed: pyproject.toml
	PYTHON="$(PYTHON)" VENV="$(VENV)" sh .ci/install .
	touch $@

$(VENV)/.installed-dev: pyproject.toml
	PYTHON="$(PYTHON)" VENV="$(VENV)" sh .ci/install '.[dev]'
	touch $@ $(VENV)/.installed

$(VENV)/.installed-models: $(VENV)/.installed-dev
	PYTHON="$(PYTHON)" VENV="$(VENV)" sh .ci/install '.[dev,models]'
	touch $@

# The weights come without what their package asks for, which would have to be compiled.
$(VENV)/.installed-local: $(VENV)/.installed-dev
	PYTHON="$(PYTHON)" VENV="$(VENV)" sh .ci/install '.[dev,local]'
	VENV="$(VENV)" sh .ci/install-weights
	touch $@

$(VENV)/.installed-ray: $(VENV)/.installed-dev
	PYTHON="$(PYTHON)" VENV="$(VENV)" sh .ci/install '.[dev,ray]'
	touch $@

$(VENV)/.installed-sdk: $(VENV)/.installed-dev
	PYTHON="$(PYTHON)" VENV="$(VENV)" sh .ci/install '.[dev,sdk]'
	touch $@

$(VENV)/.installed-adapters: $(VENV)/.installed-dev
	PYTHON="$(PYTHON)" VENV="$(VENV)" sh .ci/install '.[dev,adapters]'
	touch $@

clean:
	rm -rf $(VENV) dist build .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis

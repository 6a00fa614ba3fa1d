# Everything here sets itself up: a virtual environment in .venv with the pinned versions of constraints.txt.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test test-slow nightly versions pipelines fuzz check style types format nojit bench reproduce site site-versions clean

demo: $(VENV)/.shoal  ## the main job on an embedded example, with a report to open; compiled once, for all clones alike
	$(BIN)/shoal demo

test: $(VENV)/.dev  ## all that is quick, which is most: no cluster, no server, no browser
	$(BIN)/pytest -n auto --dist worksteal -m "not nightly and not slow"

test-slow: $(VENV)/.dev  ## the rest of the suite: Spark, PostgreSQL, the workbench in a browser, whole data sets
	$(BIN)/pytest -n auto --dist loadgroup -m "slow and not nightly"

nightly: $(VENV)/.dev  ## thousands of cases: brute force, a stop at every call to the disk, ten times the examples
	$(BIN)/pytest -n auto --dist loadgroup -m nightly
	SHOAL_HYPOTHESIS=thorough SHOAL_EXAMPLES=100 $(BIN)/pytest -n auto --dist worksteal -m "not nightly and not slow"

versions: $(VENV)/.dev  ## the lowest versions of dependencies, and other Pythons, each in an environment of its own
	$(BIN)/pytest -n 0 tests/test_versions.py

pipelines: $(VENV)/.dev  ## the examples for dbt, Dagster and Airflow with the real packages, kept in .environments
	SHOAL_ENVIRONMENTS=$(CURDIR)/.environments $(BIN)/pytest -n 0 tests/test_pipelines.py

fuzz: $(VENV)/.dev  ## nasty little tables through everything for MINUTES=10; failures made small; SPARK=--spark for Spark, too
	cd tests && ../$(BIN)/python -m redteam --minutes $(or $(MINUTES),10) $(if $(SEED),--seed $(SEED)) $(SPARK)

check: $(VENV)/.dev  ## format, lint, types, layers
	$(MAKE) --no-print-directory -j 2 style types

style: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports

types: $(VENV)/.dev  ## src strictly, then tests and benchmarks
	$(BIN)/mypy
	$(BIN)/mypy --config-file tests/mypy.ini

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

nojit: $(VENV)/.dev  ## lines that each room's own tests run, kernels as plain Python, against a floor; PARTS="kernels core"
	$(BIN)/python packaging/coverage_floor.py $(PARTS)

bench: $(VENV)/.dev  ## speed, beside the peers, in one run
	$(BIN)/python benchmarks/run.py

reproduce: $(VENV)/.dev  ## every published table again, into docs/results/; needs SHOAL_DATA
	$(BIN)/python benchmarks/reproduce.py

site: $(VENV)/.dev  ## the documentation as a site to open: site/index.html
	$(BIN)/zensical build --strict --clean

site-versions: site  ## the same beside those of other versions, with a switcher: TO=public
	$(BIN)/python packaging/site_versions.py site $(or $(TO),public)

clean:
	rm -rf $(VENV) .environments site .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis demo

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "shoal needs Python 3.11 or later; name one: make PYTHON=python3.12"; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.shoal: $(VENV)/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $@ $(VENV)/.shoal

# `make` alone lists the targets. Everything that they set up lies in .venv; a second run finds it there.

VENV   := .venv
PY     := $(VENV)/bin/python
STAMPS := $(VENV)/.stamps
PIP    := $(PY) -m pip --disable-pip-version-check -q

# Variables: PYTHON (for a new .venv), PORT and HOST (of the app), PYTEST_ARGS, FUZZ_ARGS, WORKERS (test processes).
# HOST is taken from the command line alone: some shells export the computer's name under it.
# The ladder of tests: check between two edits, test before a change is given on, test-all now and then.
# On two cores, test runs in three processes: while one waits for a browser, another one works.
PYTHON      ?=
PORT        ?=
HOST        := localhost
PYTEST_ARGS ?=
FUZZ_ARGS   ?=
WORKERS     ?=

# Dozens of processes start in a run of the tests: each would compile the app anew where it may not keep what it compiled.
export PYTHONDONTWRITEBYTECODE :=

NEW_ENOUGH := import sys, ensurepip; sys.exit(sys.version_info < (3, 11))
PYTEST      = $(PY) -m pytest -n $(or $(WORKERS),$(1)) --dist worksteal
NO_PAGE    := $(foreach folder,benchmarks browser notebooks,--ignore=tests/$(folder)) -m 'not campaign and not page'

# A .venv that was copied from elsewhere, or whose Python is gone, is not one: its stamps are taken away.
ifneq ($(wildcard $(STAMPS)/venv),)
ifneq ($(shell (cat $(STAMPS)/venv && $(PY) -c 'print(1)') 2>/dev/null || echo 0),$(CURDIR) 1)
$(shell rm -rf $(STAMPS))
endif
endif

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help app check test test-all coverage fuzz bench lint format notebooks docs clean browser FORCE

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1:/p' Makefile | awk -F: '{ printf "  make %-9s %s\n", $$1, $$2 }'
	@echo
	@echo "  PYTHON=python3.12  the Python of a new .venv        PYTEST_ARGS='-k pairs -x'  passed on to pytest"
	@echo "  PORT=8600          where the app listens            WORKERS=0                  tests in one process"
	@echo "  HOST=0.0.0.0       lets other devices open the app: students' phones, by QR codes"

app: $(STAMPS)/app $(STAMPS)/kernels ## open the app in the browser
	@exec $(PY) -m ui --server.address $(HOST) --server.fileWatcherType auto $(if $(PORT),--server.port $(PORT))

check: lint $(STAMPS)/kernels ## lint, the library and the app's logic on fewer examples: no page, notebook, browser
	@HYPOTHESIS_PROFILE=check $(call PYTEST,2) $(NO_PAGE) $(PYTEST_ARGS)

test: $(STAMPS)/dev $(STAMPS)/kernels browser ## every test but the long campaigns
	@$(call PYTEST,3) $(PYTEST_ARGS)

test-all: $(STAMPS)/dev $(STAMPS)/docs $(STAMPS)/kernels $(STAMPS)/hosts browser ## the long campaigns too, with 50 to 250 times as many examples
	@HYPOTHESIS_PROFILE=campaign $(call PYTEST,2) -m '' $(PYTEST_ARGS)

coverage: $(STAMPS)/dev $(STAMPS)/kernels browser ## the lines and branches that `make test` reaches
	@$(call PYTEST,2) --cov --cov-report=term-missing:skip-covered $(PYTEST_ARGS)

fuzz: $(STAMPS)/dev $(STAMPS)/kernels ## hostile input for ten minutes; FUZZ_ARGS='--minutes 120 --only readers --seed 7'
	@$(PY) -m tests.fuzz $(FUZZ_ARGS)

bench: $(STAMPS)/dev $(STAMPS)/kernels ## speed and memory against other tools
	@$(PY) -m benchmarks

lint: $(STAMPS)/dev ## ruff, mypy, who imports whom, code that stands twice, the JavaScript, words to avoid
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@$(VENV)/bin/lint-imports --no-logo
	@$(PY) .ci/check_duplicates.py tiekit ui pages benchmarks app.py
	@$(VENV)/bin/oxlint tiekit ui
	@$(PY) .ci/check_words.py

format: $(STAMPS)/dev ## write the code as `make lint` wants it
	@$(PY) -m ruff check --fix-only -q .
	@$(PY) -m ruff format .

notebooks: $(STAMPS)/dev $(STAMPS)/kernels ## run the sources in notebooks/ and write what they become
	@$(PY) notebooks/build.py

docs: $(STAMPS)/docs $(STAMPS)/kernels ## write the documentation as a site into build/docs; stops at any warning
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build

clean: ## take away .venv and everything else that was made
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# ---------------------------------------------------------------------------------------------- what they stand on

$(STAMPS)/venv:
	@if ! $(PY) -c '$(NEW_ENOUGH)' 2>/dev/null || ! $(PY) -m pip --version >/dev/null 2>&1; then \
	    rm -rf $(VENV); found=; \
	    for python in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11 python); do \
	        if "$$python" -c '$(NEW_ENOUGH)' >/dev/null 2>&1; then found=$$python; break; fi; \
	    done; \
	    if [ -z "$$found" ]; then \
	        echo "tiekit needs Python 3.11 or newer, with its venv module; $(or $(PYTHON),none on the PATH) is not that." >&2; \
	        echo "Debian, Ubuntu: apt-get install python3 python3-venv. Elsewhere: make ... PYTHON=/path/to/python3.11" >&2; \
	        exit 1; \
	    fi; \
	    echo "Making $(VENV) with $$($$found --version) ..."; \
	    "$$found" -m venv $(VENV); \
	fi
	@mkdir -p $(STAMPS) && echo '$(CURDIR)' >$@

$(STAMPS)/app: $(STAMPS)/venv pyproject.toml
	@echo "Installing tiekit and what its app needs into $(VENV) (once) ..."
	@$(PIP) install -e '.[app]'
	@touch $@

$(STAMPS)/dev: $(STAMPS)/venv pyproject.toml
	@echo "Installing tiekit, its app and its test tools into $(VENV) (once) ..."
	@$(PIP) install -e '.[dev]'
	@touch $(STAMPS)/app $@

$(STAMPS)/docs: $(STAMPS)/venv pyproject.toml
	@echo "Installing what writes the documentation into $(VENV) (once) ..."
	@$(PIP) install -e '.[docs]'
	@touch $@

# Numba keeps the machine code in __pycache__; without it there the stamp says nothing.
$(STAMPS)/kernels: tiekit/core/_kernels.py tiekit/significance/_kernels.py $(if $(wildcard tiekit/core/__pycache__/_kernels.*.nbi),,FORCE)
	@echo "Compiling the counting kernels (once) ..."
	@$(PY) -c 'from tiekit import warm_up; warm_up.warm_up(); warm_up.warm_up_resampling()'
	@touch $@

browser: $(STAMPS)/dev
	@$(PY) tests/browser/find_chromium.py --install >/dev/null || true

# What widgets are tried in, apart from the rest; and, by npm, what pages of nbconvert load from elsewhere.
HOSTS := $(VENV)/hosts
NPM   := @jupyter-widgets/html-manager@1.0.15 requirejs@2.3.7

$(STAMPS)/hosts: $(STAMPS)/venv pyproject.toml
	@echo "Installing JupyterLab, Notebook and marimo into $(HOSTS) (once) ..."
	@$(PY) -m venv $(HOSTS)
	@$(HOSTS)/bin/python -m pip --disable-pip-version-check -q install -e '.[hosts]'
	@for package in $(NPM); do \
	    name=$$(basename $${package%@*}); mkdir -p $(HOSTS)/$$name; \
	    npm pack -s --pack-destination $(HOSTS) $$package >/dev/null && \
	    tar xzf $(HOSTS)/*$$name*.tgz -C $(HOSTS)/$$name --strip-components 1; \
	done
	@touch $@

FORCE:

PY     := .venv/bin/python
PYTEST  = $(PY) -m pytest -n $(or $(WORKERS),$(1)) --dist worksteal
NO_PAGE := $(foreach folder,benchmarks browser notebooks,--ignore=tests/$(folder)) -m 'not campaign and not page'

# Variables: PYTHON (for a new .venv), PORT and HOST (of the app), PYTEST_ARGS, FUZZ_ARGS, WORKERS (test processes).
# HOST is taken from the command line alone: some shells export the computer's name under it.
# On two cores, test runs in three processes: while one waits for a browser, another one works.
HOST       := localhost
export PYTHON
# Dozens of processes start in a run of the tests: each would compile the app anew where it may not keep what it compiled.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help app check test test-all coverage fuzz bench lint format notebooks picture docs clean browser

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1:/p' Makefile | awk -F: '{ printf "  make %-9s %s\n", $$1, $$2 }'
	@echo && printf '%s\n' "  PYTHON=python3.12  the Python of a new .venv        PYTEST_ARGS='-k pairs -x'  passed on to pytest" \
	    "  PORT=8600          where the app listens            WORKERS=0                  tests in one process" \
	    "  HOST=0.0.0.0       lets other devices open the app: students' phones, by QR codes"
app: has-app has-kernels ## open the app in the browser
	@exec $(PY) -m ui --server.address $(HOST) --server.fileWatcherType auto $(if $(PORT),--server.port $(PORT))
check: lint has-kernels ## lint, the library and the app's logic: no page, notebook, browser
	@$(call PYTEST,2) $(NO_PAGE) $(PYTEST_ARGS)
test: has-dev has-kernels has-tests browser ## every test but the long campaigns
	@$(call PYTEST,3) $(PYTEST_ARGS)
test-all: has-dev has-docs has-kernels has-hosts browser ## the long campaigns too, with 100 to 500 times as many examples
	@HYPOTHESIS_PROFILE=campaign $(call PYTEST,2) -m '' $(PYTEST_ARGS)
coverage: has-dev has-kernels browser ## the lines and branches that `make test` reaches
	@$(call PYTEST,2) --cov --cov-report=term-missing:skip-covered $(PYTEST_ARGS)
fuzz: has-dev has-kernels ## hostile input for ten minutes; FUZZ_ARGS='--minutes 120 --only readers --seed 7'
	@$(PY) -m tests.fuzz $(FUZZ_ARGS)
bench: has-dev has-kernels ## speed and memory against other tools
	@$(PY) -m benchmarks
lint: has-dev ## ruff, mypy, who imports whom, code that stands twice, the JavaScript, words to avoid
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@.venv/bin/lint-imports --no-logo
	@$(PY) .ci/check_duplicates.py tiekit ui pages benchmarks app.py
	@.venv/bin/oxlint tiekit ui
	@$(PY) .ci/check_words.py
	@$(PY) .ci/check_names.py ui pages docsite benchmarks tiekit
format: has-dev ## write the code as `make lint` wants it
	@$(PY) -m ruff check --fix-only -q .
	@$(PY) -m ruff format .
notebooks: has-dev has-kernels browser ## run the sources in notebooks/ and write what they become
	@$(PY) notebooks/build.py
picture: has-dev has-kernels browser ## take the picture of the app that README.md shows anew
	@$(PY) .ci/picture.py
docs: has-docs has-kernels ## write the documentation as a site into build/docs; stops at any warning
	@NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build
clean: ## take away .venv and everything else that was made
	rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
browser: has-dev
	@$(PY) tests/browser/find_chromium.py --install >/dev/null || true
has-%: # what .venv holds for a target, put there once
	@.ci/environment $*

# The README's two commands: `make app` and `make test`. Each sets itself up on a machine that has
# Python, make and a network; stamps in the virtual environment make every later start fast.

VENV ?= .venv
PORT ?= 5006
OPEN ?= 1
BIN  := $(VENV)/bin
PIP  := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: app test fast lint bench soak pictures papers clean

app: $(VENV)/.app
	$(BIN)/trustscope --port $(PORT) $(if $(filter 0,$(OPEN)),--no-open)

test: $(VENV)/.test
	$(BIN)/python -m tests.chromium
	$(BIN)/python -m pytest

fast: $(VENV)/.test
	$(BIN)/python -m pytest -m "not browser"

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

bench: $(VENV)/.test
	$(BIN)/python -m tests.chromium
	$(BIN)/python -m benchmarks

soak: $(VENV)/.test
	$(BIN)/python -m tests.release.soak --moments 1000 --tries 1000

pictures: $(VENV)/.test
	$(BIN)/python -m tests.chromium
	$(BIN)/python -m tests.pictures docs

papers: $(VENV)/.app
	$(BIN)/trustscope reproduce --store

clean:
	rm -rf $(VENV) build *.egg-info

$(VENV)/bin/python:
	sh .ci/venv $(VENV)

$(VENV)/.app: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) --editable .
	touch $@

$(VENV)/.test: $(VENV)/.app
	$(PIP) --editable ".[test]"
	touch $@

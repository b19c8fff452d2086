# The README's two commands: `make app` and `make test`. Each sets itself up on a machine that has
# Python, make and a network; stamps in the virtual environment make every later start fast.

VENV ?= .venv
PORT ?= 5006
OPEN ?= 1
BIN  := $(VENV)/bin
# Packages are compiled when they are first used: most of what they hold is never used.
INSTALL := sh .ci/install $(VENV)

# Python keeps what it has compiled, also where a machine says otherwise: the tests start it a hundred times.
export PYTHONDONTWRITEBYTECODE =

.PHONY: app test fast coverage lint types docs bench newest fuzz harden soak pictures papers curves hashes clean

app: $(VENV)/.app
	$(BIN)/trustscope --port $(PORT) $(if $(filter 0,$(OPEN)),--no-open)

# One worker more than there are cores, because many tests wait (for a browser, for visitors to be forgotten); one core
# for each worker's matrices and trees: threads of OpenMP wait without rest, and took ten times as long. A file stays with
# one worker: what its tests share is then made once. tests/conftest.py says which files come first.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
PYTEST := OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder

test: $(VENV)/.test
	$(BIN)/python -m tests.chromium
	$(PYTEST) -m "not long and not soak"

fast: $(VENV)/.test
	$(PYTEST) -m "not browser and not slow and not soak and not long"

coverage: $(VENV)/.test
	$(BIN)/python -m tests.chromium
	$(PYTEST) -m "not long and not soak" --cov --cov-report=term-missing:skip-covered

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(MAKE) types

# mypy and editors find the folders as parts of `trustscope` by these links.
types: $(VENV)/.test
	mkdir -p $(VENV)/editor/trustscope
	for part in trustscope/*.py; do ln -sf ../../../$$part $(VENV)/editor/trustscope/; done
	for part in app datasets engine handouts lessons plots release scenarios study widgets; do ln -sfn ../../../$$part $(VENV)/editor/trustscope/$$part; done
	MYPYPATH=$(VENV)/editor $(BIN)/python -m mypy -m trustscope \
		$(patsubst %,-p trustscope.%,app datasets engine handouts lessons plots release scenarios study widgets) \
		$(patsubst trustscope/%.py,-m trustscope.%,$(filter-out trustscope/__%,$(wildcard trustscope/*.py)))

# The site, into build/docs: notebooks are run, plots are drawn, and a link that leads nowhere is an error.
docs: $(VENV)/.docs
	$(BIN)/python -m sphinx -W --keep-going --quiet -b html -d build/doctrees docs build/docs
	@echo "The site is build/docs/index.html."

bench: $(VENV)/.test
	$(BIN)/python -m tests.chromium
	$(BIN)/python -m benchmarks

# The newest versions of everything, above our bounds: what breaks with them? TESTS="tests/widgets" tries others.
newest:
	sh .ci/newest .venv-newest

# Ten thousand hostile files; FUZZ="--files 500 --seed 3 --seconds 600" makes others, or fewer.
fuzz: $(VENV)/.test
	$(BIN)/python -m tests.fuzz $(FUZZ)

# Attacks on a started server of this machine, with their figures; HARDEN="cookies half_requests" makes only these.
harden: $(VENV)/.test
	$(BIN)/python -m tests.harden $(HARDEN)

# Visitors who come, work and leave, for as long as MINUTES says; then copies killed, power cut, ledgers tampered with.
MINUTES ?= 20
soak: $(VENV)/.test
	$(PYTEST) -m "long or soak"
	$(BIN)/python -m tests.soak --minutes $(MINUTES)
	$(BIN)/python -m tests.release.soak --moments 1000 --tries 1000 --cuts 200

pictures: $(VENV)/.test
	$(BIN)/python -m tests.chromium
	$(BIN)/python -m tests.pictures docs

# The curves of the strongest attacker on built-in data: after a change of the engine or of the data.
curves: $(VENV)/.app
	$(BIN)/python -m trustscope.scenarios.trust.curves_made

papers: $(VENV)/.app
	$(BIN)/trustscope reproduce --store

# What the image installs, each file by its hash: after a change of constraints.txt.
hashes: $(VENV)/.test
	$(INSTALL) uv
	echo setuptools | $(BIN)/uv pip compile --quiet --generate-hashes --python-version 3.12 --python-platform linux --extra all \
		--constraint constraints.txt --no-header --no-annotate --output-file requirements-image.txt pyproject.toml -

clean:
	rm -rf $(VENV) build docs/_made *.egg-info

$(VENV)/bin/python:
	sh .ci/venv $(VENV)

$(VENV)/.app: $(VENV)/bin/python pyproject.toml constraints.txt
	$(INSTALL) --editable ".[all]"
	touch $@

# All at once: what the app needs is not looked up twice.
$(VENV)/.test: $(VENV)/bin/python pyproject.toml constraints.txt
	$(INSTALL) --editable ".[test]"
	touch $(VENV)/.app $@

$(VENV)/.docs: $(VENV)/.test
	$(INSTALL) --editable ".[docs]"
	touch $@

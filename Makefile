# `make demo` and `make test` need Python >= 3.11, a C compiler and make, nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Reinstalled when a source that goes into the wheel has changed.
SOURCES := pyproject.toml CMakeLists.txt $(wildcard src/*.pyx src/*.pxd src/*.h) \
           $(shell find agreement_fast -name '*.py' -o -name '*.pyi' -o -name '*.csv' | sort)

.PHONY: demo test lint bench clean

demo: $(VENV)/.cli
	$(BIN)/agreement-fast report --example

test: $(VENV)/.test
	$(BIN)/pytest -n auto

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.bench
	mkdir -p build
	$(BIN)/pytest benchmarks --benchmark-only --benchmark-json=build/bench.json
	$(BIN)/python -P benchmarks/ratios.py build/bench.json

clean:
	rm -rf build $(VENV)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# One stamp for each extra: .cli, .test, .dev, .bench.
$(VENV)/.%: $(BIN)/python $(SOURCES)
	$(BIN)/python -m pip install --quiet ".[$*]"
	touch $@

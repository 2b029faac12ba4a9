# `make demo` and `make test` need Python >= 3.11, a C compiler and make, nothing else.
PYTHON ?= python3
CC ?= cc
VENV := .venv
BIN := $(VENV)/bin
# Reinstalled when a source that goes into the wheel has changed.
SOURCES := pyproject.toml CMakeLists.txt $(wildcard src/*.pyx src/*.pxd src/*.h) \
           $(shell find agreement_fast -name '*.py' -o -name '*.pyi' -o -name '*.csv' | sort)

.PHONY: demo test lint bench sanitized checked levels lowest clean

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

# ---- other builds of the kernels, each in a folder of its own that stands before the installed one

# The tests that run the kernels over the space of their inputs.
KERNEL_TESTS := tests/test_walk.py tests/test_routes.py tests/test_against_reference.py \
                tests/test_threads.py tests/test_labelsets.py tests/test_subsets.py \
                tests/test_reference_stability.py tests/test_latent_dawid_skene.py \
                tests/test_inference_bootstrap.py tests/test_unitizing.py

sanitized: build/sanitized/.made
	LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libubsan.so)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc \
	PYTHONPATH=build/sanitized $(BIN)/pytest -n auto $(KERNEL_TESTS)

checked: build/checked/.made
	PYTHONPATH=build/checked $(BIN)/pytest -n auto $(KERNEL_TESTS)

# Results must not depend on the instructions that a processor has. Levels it lacks are left out.
LEVELS := $(if $(shell grep -sm1 -w fma /proc/cpuinfo),x86-64 x86-64-v3) \
          $(if $(shell grep -sm1 -w avx512vl /proc/cpuinfo),x86-64-v4)

levels: $(LEVELS:%=build/%/.made)
	@for level in $(LEVELS); do \
	  PYTHONPATH=build/$$level $(BIN)/python -P tests/levels.py > build/$$level.txt || exit 1; \
	  diff build/$$level.txt build/$(firstword $(LEVELS)).txt || exit 1; \
	done
	@echo "the same results at: $(LEVELS)"

build/sanitized/.made: DEFINE = AGREEMENT_FAST_SANITIZED=ON
build/checked/.made: DEFINE = AGREEMENT_FAST_CHECKED=ON
$(LEVELS:%=build/%/.made): DEFINE = AGREEMENT_FAST_LEVEL=$*
build/%/.made: $(VENV)/.test $(SOURCES)
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target build/$* . \
	  -Ccmake.define.$(DEFINE) -Cbuild-dir=build/cmake-$*
	PYTHONPATH=build/$* $(BIN)/python -P -c \
	  "import agreement_fast as af; assert af.__file__.startswith('$(CURDIR)/build/$*/'), af.__file__"
	touch $@

# The oldest versions that pyproject.toml allows.
lowest:
	$(PYTHON) -m venv build/lowest
	build/lowest/bin/python -m pip install --quiet $$($(PYTHON) tests/lowest.py) ".[test]"
	build/lowest/bin/pytest -n auto

clean:
	rm -rf build $(VENV)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# One stamp for each extra: .cli, .test, .dev, .bench.
$(VENV)/.%: $(BIN)/python $(SOURCES)
	$(BIN)/python -m pip install --quiet ".[$*]"
	touch $@

# `make demo` and `make test` need only Python >= 3.11, a C compiler and make.
PYTHON ?= python3
CC ?= cc
# Let Python cache bytecode: otherwise pytest rewrites the assertions of all tests in each run.
unexport PYTHONDONTWRITEBYTECODE
VENV := .venv
BIN := $(VENV)/bin
# The package is reinstalled when a source of the wheel has changed.
SOURCES := pyproject.toml CMakeLists.txt $(wildcard src/*.pyx src/*.py src/*.h) \
           $(shell find agreement_fast src/agreement_fast_command -name '*.py' -o -name '*.pyi' -o -name '*.pxd' -o -name '*.csv' -o -path '*/templates/*' | sort)

.PHONY: demo test breadth guard browser engines lint docs bench sanitized checked levels compilers lowest \
        aarch64 musl musl-tools wasm clean

demo: $(VENV)/.cli
	$(BIN)/agreement-fast report --example

# What is quick: of like parameters some, of the sources nothing.
test: $(VENV)/.test
	$(BIN)/pytest -n auto --dist worksteal

# The rest of the tests: all parameters and examples of Hypothesis, those of the docs, damaged files,
# simulations.
breadth: $(VENV)/.test
	$(BIN)/pytest -n auto --dist worksteal -m '(breadth or hypothesis) and not (browser or engines or sources)'

# What the commands print, the public names, the values of all studies and the speed, beside those of an
# older revision: make guard BASE=v0.1.0 DATA="folder other/folder". Sets print in an order that depends on
# the seed of the hashes.
BASE ?= 8a31dc8
GUARD = PYTHONHASHSEED=0 $(BIN)/python -W ignore tests/guard.py
guard: $(VENV)/.test build/guard/$(BASE)/.made
	PYTHONPATH=$(CURDIR)/build/guard/$(BASE)/package $(GUARD) record build/guard/old.json --docs build/guard/$(BASE) $(DATA:%=--data %)
	$(GUARD) record build/guard/new.json --docs build/guard/$(BASE) $(DATA:%=--data %)
	$(GUARD) compare build/guard/old.json build/guard/new.json

build/guard/$(BASE)/.made:
	rm -rf $(@D) && mkdir -p $(@D)
	git archive $(BASE) | tar -x -C $(@D)
	$(BIN)/python -m pip install --quiet --no-deps --target $(@D)/package $(@D)
	touch $@

# Opens the HTML pages in Chromium, installed from the system's packages.
browser: $(VENV)/.test $(VENV)/.browser
	command -v chromium > /dev/null || (apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium)
	$(BIN)/pytest -m browser tests/reports

# Tests the engines. Spark needs Java. The tests start a PostgreSQL server of their own; Debian keeps it
# outside of the PATH.
engines: $(VENV)/.test $(VENV)/.engines
	command -v java > /dev/null || (apt-get update -qq && apt-get install -qq -y --no-install-recommends default-jre-headless)
	command -v postgres > /dev/null || ls /usr/lib/postgresql/*/bin/postgres > /dev/null 2>&1 || \
	  (apt-get update -qq && apt-get install -qq -y --no-install-recommends postgresql)
	$(BIN)/pytest -m engines -n 2 --dist loadgroup tests/reading/engines
	$(BIN)/pytest -m engines tests/test_docs.py

lint: $(VENV)/.test $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell
	$(BIN)/python -P tests/words.py
	$(BIN)/python -P tests/loops.py
	$(BIN)/pytest -q -m sources
	$(BIN)/mypy
	$(BIN)/mypy tests/faults.py
	$(BIN)/python -m mypy.stubtest --mypy-config-file pyproject.toml --ignore-disjoint-bases --allowlist tests/stubtest.txt \
	  $(patsubst agreement_fast/_kernels/%.pyi,agreement_fast._kernels.%,$(wildcard agreement_fast/_kernels/*.pyi))

# Validates the docstrings and builds the site in build/site, which loads nothing from other servers.
docs: $(VENV)/.test $(VENV)/.docs
	$(BIN)/python tests/docstrings.py
	$(BIN)/python docs/site/pages.py build/pages
	$(BIN)/sphinx-build -W --keep-going -q -c docs/site -d build/doctrees build/pages build/site
	$(BIN)/python docs/site/offline.py build/site

bench: $(VENV)/.bench
	mkdir -p build
	$(BIN)/pytest benchmarks --benchmark-only --benchmark-json=build/bench.json
	$(BIN)/python -P benchmarks/ratios.py build/bench.json

# ---- other builds of the kernels, each in a folder of its own, first in PYTHONPATH

# The tests that cover the inputs of the kernels.
KERNEL_TESTS := tests/kernels tests/test_threads.py tests/units/test_unitizing.py \
                tests/fuzz/test_fuzz_arrays.py

# Runs a program that loads kernels with sanitizers.
WATCHED := LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libubsan.so)" \
  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc

# Ctrl-C is sent to a process that computes for seconds, in the other builds.
sanitized: build/sanitized/.made
	$(WATCHED) PYTHONPATH=build/sanitized $(BIN)/pytest -n auto -m '' -k 'not ctrl_c' $(KERNEL_TESTS)

# With bounds checks, and for the lowest level of the processor. The results must equal those of the
# installed build, which uses the highest level of the processor.
checked: build/checked/.made
	WALK=397 PYTHONPATH=build/checked $(BIN)/pytest -n auto -m '' $(KERNEL_TESTS)
	PYTHONPATH=build/checked $(BIN)/python -P tests/levels.py > build/checked.txt
	$(BIN)/python -P tests/levels.py | diff build/checked.txt -

# Results must not depend on the instructions of the processor. Levels that it lacks are skipped.
LEVELS := $(if $(shell grep -sm1 -w fma /proc/cpuinfo),x86-64 x86-64-v3) \
          $(if $(shell grep -sm1 -w avx512vl /proc/cpuinfo),x86-64-v4)

levels: $(LEVELS:%=build/%/.made)
	@for level in $(LEVELS); do \
	  PYTHONPATH=build/$$level $(BIN)/python -P tests/levels.py > build/$$level.txt || exit 1; \
	  diff build/$$level.txt build/$(firstword $(LEVELS)).txt || exit 1; \
	done
	@echo "the same results at: $(LEVELS)"

# Results must not depend on the compiler, its level of optimization or its extensions of C11. Warnings
# are errors. Compilers that are not installed are skipped.
COMPILERS := $(foreach compiler,gcc clang,$(if $(shell command -v $(compiler)),$(compiler)))
COMPILED := $(foreach compiler,$(COMPILERS),$(foreach level,O0 O1 O2 O3 plain,$(compiler)-$(level)))

compilers: $(COMPILED:%=build/%/.made)
	$(BIN)/python -P tests/levels.py > build/installed.txt
	@for build in $(COMPILED); do \
	  PYTHONPATH=build/$$build $(BIN)/python -P tests/levels.py | diff build/installed.txt - || exit 1; \
	  PYTHONPATH=build/$$build $(BIN)/pytest -q -n auto -m '' tests/kernels || exit 1; \
	done
	@echo "the same results from: $(COMPILED)"

X86 := $(filter x86_64,$(shell uname -m))
# Not exported: what these targets need is compiled for this machine.
build/aarch64/.made: CROSS = aarch64-linux-gnu-gcc
build/musl/.made: CROSS = musl-gcc
build/sanitized/.made: RUN = $(WATCHED)
build/sanitized/.made: DEFINE = -Ccmake.define.AGREEMENT_FAST_SANITIZED=ON
build/checked/.made: DEFINE = -Ccmake.define.AGREEMENT_FAST_CHECKED=ON \
  $(X86:%=-Ccmake.define.AGREEMENT_FAST_LEVEL=x86-64)
$(LEVELS:%=build/%/.made): DEFINE = -Ccmake.define.AGREEMENT_FAST_LEVEL=$*
$(COMPILED:%=build/%/.made): export CC = $(firstword $(subst -, ,$*))
$(COMPILED:%=build/%/.made): export CFLAGS = $(filter-out -plain,-$(lastword $(subst -, ,$*)))
$(COMPILED:%=build/%/.made): DEFINE = -Ccmake.define.AGREEMENT_FAST_STRICT=ON \
  $(if $(filter %-plain,$*),-Ccmake.define.AGREEMENT_FAST_PLAIN=ON,-Ccmake.build-type=None)
build/aarch64/.made build/musl/.made: build/%/.made: $(VENV)/.test build/%-root/.made $(SOURCES)
	CC=$(CROSS) $(BIN)/python -m pip install --quiet --no-deps --upgrade --target build/$* . -Cbuild-dir=build/cmake-$*
	touch $@

build/%/.made: $(VENV)/.test $(SOURCES)
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target build/$* . \
	  $(DEFINE) -Cbuild-dir=build/cmake-$*
	$(RUN) PYTHONPATH=build/$* $(BIN)/python -P -c \
	  "import agreement_fast as af; assert af.__file__.startswith('$(CURDIR)/build/$*/'), af.__file__"
	touch $@

# The oldest versions that pyproject.toml allows.
lowest: build/dist/.made
	$(PYTHON) -m venv build/lowest
	build/lowest/bin/python -m pip install --quiet $$($(PYTHON) tests/lowest.py) "$$(echo build/dist/*.whl)[test]"
	build/lowest/bin/pytest -n auto

# ---- other platforms, run on Linux on x86-64, with packages of Debian or Ubuntu

# Wheels for the Python of another platform: $(call WHEELS,version of Python,platforms).
WHEELS = $(BIN)/python -m pip install --quiet --only-binary=:all: --python-version $(1) $(2:%=--platform %) \
  --target $(@D)/site numpy scipy narwhals pytest hypothesis
INSTALL := apt-get update -qq && apt-get install -qq -y --no-install-recommends

# Another platform's kernels print the fingerprints of the installed ones, and pass their tests. An
# emulator takes some twenty times as long. Some wheels of musl have no Arrow and no pandas.
aarch64: RUN = PYTHONPATH=build/aarch64:build/aarch64-root/site qemu-aarch64-static -L build/aarch64-root \
  build/aarch64-root/usr/bin/python3
musl: RUN = PYTHONPATH=build/musl:build/musl-root/site LD_LIBRARY_PATH=build/musl-root/lib build/musl-root/bin/python3
musl: NO_TESTS = --ignore=tests/kernels/test_arrow.py
aarch64 musl: %: build/%-root/.made build/%/.made
	$(RUN) -P tests/levels.py --platforms > build/$@.txt
	$(BIN)/python -P tests/levels.py --platforms | diff build/$@.txt -
	$(RUN) -P -m pytest -q -m '' -p no:cacheprovider $(NO_TESTS) tests/kernels
	$(AFTER)

# Where Spark sees a library of musl, it loads the wrong build of Snappy: what was installed goes again.
musl: AFTER = [ ! -e build/musl-tools ] || (apt-get purge -qq -y musl musl-dev musl-tools && rm build/musl-tools)
build/musl/.made: | musl-tools
musl-tools:
	mkdir -p build
	command -v musl-gcc > /dev/null || ($(INSTALL) musl-tools linux-libc-dev && touch build/musl-tools)

build/aarch64-root/.made: $(BIN)/python
	rm -rf $(@D)
	$(INSTALL) mmdebstrap qemu-user-static gcc-aarch64-linux-gnu libc6-dev-arm64-cross
	mmdebstrap --quiet --variant=extract --architectures=arm64 --include=python3,libstdc++6 \
	  "$$(. /etc/os-release; echo $$VERSION_CODENAME)" $(@D)
	$(call WHEELS,$$(basename $(@D)/usr/bin/python3.?? | sed s/python//),manylinux2014_aarch64 manylinux_2_28_aarch64) \
	  pandas pyarrow
	touch $@

# Python compiled for musl, from Debian's sources. Wheels for later versions of musl crash in Debian 12's.
build/musl-root/.made: $(BIN)/python | musl-tools
	rm -rf $(@D)
	sh tests/platforms/musl_python.sh $(CURDIR)/$(@D)
	$(call WHEELS,$$(basename $(@D)/bin/python3.?? | sed s/python//),musllinux_1_1_x86_64)
	touch $@

# Kernels for WebAssembly count a table in Pyodide, from the registry npm, as the installed ones do.
wasm: $(VENV)/.test
	command -v emcc > /dev/null && command -v npm > /dev/null || ($(INSTALL) emscripten nodejs npm)
	$(BIN)/python -m pip install --quiet "cython>=3.3"
	sh tests/platforms/wasm.sh $(BIN)/python build/wasm
	npm install --silent --prefix build/wasm pyodide
	node tests/platforms/wasm.mjs build/wasm/kernels $(CURDIR)/build/wasm/node_modules/pyodide > build/wasm.txt
	$(BIN)/python -P tests/platforms/count_table.py | diff build/wasm.txt -
	@tail -n 1 build/wasm.txt

clean:
	rm -rf build $(VENV)

# What a new machine may lack is said before anything is made.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit("agreement_fast needs Python 3.11 or newer, and $(PYTHON) is \
	%d.%d: name another, as in make demo PYTHON=python3.12" % v[:2] if v < (3, 11) else 0)'
	@command -v $(CC) > /dev/null || { echo "agreement_fast needs a C compiler, and there is no $(CC): install gcc or clang" \
	  "(Debian and Ubuntu: apt-get install build-essential; Fedora: dnf install gcc; macOS: xcode-select --install)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# Only the tools, without a second build: the package is already installed for the tests.
$(VENV)/.lint $(VENV)/.browser $(VENV)/.engines $(VENV)/.docs: $(VENV)/.%: $(VENV)/.test
	$(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']['$*'])" \
	  | xargs $(BIN)/python -m pip install --quiet
	touch $@

# The package is compiled once, whichever extras are installed.
build/dist/.made: $(BIN)/python $(SOURCES)
	rm -rf $(@D)
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir $(@D) .
	$(BIN)/python -m pip install --quiet --no-deps --force-reinstall $(@D)/*.whl
	touch $@

# One stamp for each extra: .cli, .test, .dev, .bench.
$(VENV)/.%: build/dist/.made
	$(BIN)/python -m pip install --quiet "$$(echo build/dist/*.whl)[$*]"
	touch $@

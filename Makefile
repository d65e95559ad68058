# What a maintainer does, in one word each; `make` alone lists them. Each line calls what is there:
# pytest, tests/prove, .ci/run. Nothing of the build goes through this file.
VENV := .venv
PYTHON := $(VENV)/bin/python
T :=

C_FILES = $(shell find src include tests benchmarks examples -name '*.[ch]')
INSTALL = $(PYTHON) -m pip install --quiet --no-build-isolation --no-deps --editable .
ASAN := .venv-asan
PRELOAD = $$(gcc -print-file-name=libasan.so):$$(gcc -print-file-name=libstdc++.so.6)

.PHONY: help dev build debug test one asan lint format generate prove gate wheel \
	compile_commands clean

help: ## this list
	@sed -n 's/^\([a-z_]*\):.*## /\1	/p' Makefile | expand -t 20

dev: ## makes .venv, with the package in place and all tools
	python3 -m venv $(VENV)
	$(PYTHON) -m pip install --quiet --editable '.[onnx,test,dev]'

build: ## compiles the C core anew, after an edit
	$(INSTALL)

debug: ## the same for a debugger, without optimization
	BNNSPY_DEBUG=1 $(INSTALL)

test: ## runs all tests
	$(PYTHON) -m pytest

one: ## runs one: make one T=tests/test_shape.py
	$(if $(T),,$(error T names what to run: make one T=tests/test_shape.py))
	$(PYTHON) -m pytest $(T)

asan: ## runs all tests, or T, in a build with sanitizers of its own (Linux)
	python3 -m venv $(ASAN)
	BNNSPY_SANITIZE=address,undefined $(ASAN)/bin/pip install --quiet '.[test]'
	cd tests && LD_PRELOAD="$(PRELOAD)" PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 \
	UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	../$(ASAN)/bin/python -m pytest $(addprefix ../,$(or $(T),tests))

lint: ## what reads the code only: ruff, mypy, clang-format
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/clang-format --dry-run -Werror $(C_FILES)

format: ## formats Python and C
	$(VENV)/bin/ruff format .
	$(VENV)/bin/clang-format -i $(C_FILES)

generate: ## writes what comes from the headers and the data files
	$(PYTHON) cffi_build.py
	$(PYTHON) docs/generate.py
	$(PYTHON) docs/generate_layouts.py

prove: ## the promises in minutes, or the parts that T names at full length
	$(PYTHON) tests/prove $(or $(T),all --bounded)

gate: ## all that has to hold before a change is taken
	.ci/run

wheel: ## builds the wheel into dist/
	$(PYTHON) -m pip wheel --quiet --no-deps --wheel-dir dist .

compile_commands: ## writes compile_commands.json, for clangd
	$(PYTHON) -c 'import json, cffi_build as b; print(json.dumps([{"directory": str(b.ROOT), \
	"file": f, "arguments": ["cc", *b.compile_flags()[0], "-DBNNSPY_VERSION=\"\"", "-Iinclude", \
	"-Isrc", "-c", f]} for f in b.relative("src/**/*.c") + b.relative("tests/c/**/*.c")]))' \
	>compile_commands.json

clean: ## removes what builds and tools left, but for .venv and the compiled core
	rm -rf build dist *.egg-info $(ASAN) .mypy_cache .pytest_cache .ruff_cache .hypothesis
	rm -f bnnspy/_bnns.c compile_commands.json
	find bnnspy tests docs examples benchmarks -name __pycache__ -exec rm -rf {} +

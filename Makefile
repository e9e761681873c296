# `make` alone lists what there is. Everything works from a fresh clone: `setup` runs first and is quick when done.

SHELL := /bin/bash
.DEFAULT_GOAL := help
BIN := .venv/bin
export PYTHON

.PHONY: help setup serve box quick test test-plane test-live test-web test-faults test-node test-engines cluster image check format soak bench docs openapi sdk web web-types

help: ## List these commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-10s %s\n", $$1, $$2 }'
	@echo
	@echo "  PYTHON=python3.12 picks the interpreter, ARGS='--port 8080' goes to the server."

setup: ## Make .venv and install everything, system packages included (root or sudo)
	@scripts/setup

serve: setup ## Run Belljar, control plane and all, on 127.0.0.1:2468
	@exec $(BIN)/belljar serve $(ARGS)

box: setup ## Run one sandbox server
	@exec $(BIN)/belljar box $(ARGS)

# Each test is in one of these, and CI runs them all; `test` has those that are in no other.
PARTS := plane live web faults npm engines soak
in = $(BIN)/pytest -q -n 3 --dist worksteal -r fERs -m '$(1)' $(ARGS)

test: check ## The checks, and the tests of the box, its clients and agents' tools; CI runs the targets below too
	$(call in,not ($(subst $() , or ,$(PARTS))))

test-plane: setup ## The tests of sessions: control planes and their boxes
	$(call in,plane and not (web or faults or npm or engines or soak))

test-live: setup ## The tests of what a person sees of a box, as pictures, video and film
	$(call in,live and not (web or faults or npm or engines or soak))

test-web: setup ## The tests that look at the web app and the viewer in a browser
	$(call in,web and not (npm or engines or soak))

test-faults: setup ## The tests in which something is killed, frozen, full or gone
	$(call in,faults and not (web or npm or engines or soak))

test-node: setup ## The tests with published npm clients, which it installs first
	$(BIN)/pytest -q -n 2 -r fERs -m npm $(ARGS)

test-engines: setup ## The tests with a container engine of their own (ENGINE=podman, or =trixie), the image, nginx and Caddy, which it installs first
	@engine=$$(scripts/engines $(ENGINE)) && BELLJAR_TEST_ENGINE=$$engine $(BIN)/pytest -q -n 2 --dist loadgroup -r fERs -m 'engines and not soak' $(ARGS)

cluster: setup ## The tests of Kubernetes before a real API server, which it builds first (once, half an hour)
	@server=$$(scripts/cluster) && BELLJAR_TEST_APISERVER=$$server $(BIN)/pytest -q -r fERs -k kubernetes tests/plane $(ARGS)

image: setup ## Make the images belljar:VERSION and belljar-postgres:VERSION in the engine that DOCKER_HOST names
	@POSTGRES=$(if $(BASE),,1) deploy/image/build $(TAG)

web: setup ## The TypeScript packages: install, check, build and test them
	@scripts/web

web-types: setup ## Write the TypeScript types anew from openapi/*.json
	@scripts/web types

quick: check ## In a minute: the checks, and the tests that need no browser, jail, display, database server or Node
	$(BIN)/pytest -q -n 2 -m quick $(ARGS)

check: setup ## Format, lint, types, import contracts, openapi, SDKs and the script of /view fresh
	$(BIN)/ruff format --check -q .
	$(BIN)/ruff check -q .
	$(BIN)/mypy --no-error-summary
	@said=$$($(BIN)/lint-imports --no-logo 2>&1) || { echo "$$said"; exit 1; }
	@$(BIN)/python scripts/make_sync_sdk.py --check
	@$(BIN)/python scripts/make_python_reference.py --check
	@$(BIN)/python scripts/check_openapi_names.py
	@$(BIN)/python scripts/make_gateway_table.py --check
	@scripts/web check
	@$(BIN)/belljar openapi box | diff -u openapi/box.json - || { echo "openapi/box.json is stale: run 'make openapi' and commit it."; exit 1; }
	@$(BIN)/belljar openapi serve | diff -u openapi/control.json - || { echo "openapi/control.json is stale: run 'make openapi' and commit it."; exit 1; }

format: setup ## Format the code and mend what ruff can mend
	$(BIN)/ruff format -q .
	$(BIN)/ruff check --fix -q .

openapi: setup ## Write openapi/*.json, and the gateway's table of box routes, anew from the code
	@mkdir -p openapi
	$(BIN)/belljar openapi box > openapi/box.json
	$(BIN)/belljar openapi serve > openapi/control.json
	$(BIN)/python scripts/make_gateway_table.py

sdk: setup ## Make the blocking half of the Python SDK from the asynchronous one, and the lists of its reference
	@$(BIN)/python scripts/make_sync_sdk.py
	@$(BIN)/python scripts/make_python_reference.py

soak: setup ## The long runs, with their output shown
	$(BIN)/pytest -m soak -s -v $(ARGS)

bench: setup ## Benchmarks side by side (NAME=process_start for one, ARGS=--quick for a short run)
	@for file in benchmarks/bench_$(or $(NAME),*).py; do \
	  [ -e "$$file" ] || { echo "There is no $$file."; exit 1; }; \
	  $(BIN)/python -m benchmarks.$$(basename $$file .py) $(ARGS) || exit 1; \
	done

docs: setup ## Check that README, guide and reference agree with the code
	$(BIN)/pytest -q tests/test_docs.py $(ARGS)

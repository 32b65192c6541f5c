# Two commands do everything on a fresh machine: `make demo` and `make test`.

PRESET ?= release
BUILD  := build/$(PRESET)
CACHE  := $(or $(CULPRIT_CACHE),$(if $(XDG_CACHE_HOME),$(XDG_CACHE_HOME)/culprit,$(HOME)/.cache/culprit))
JOBS   ?= $(shell nproc)
SEED   ?= 1
SEEDS  ?= 3

.PHONY: help setup build demo test fuzz mutation bench format lint asan tsan clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## system packages, ONNX Optimizer (built once), ONNX Runtime: into the cache folder
	@scripts/setup

build: setup ## the tool: build/release/bin/culprit
	@cmake --preset $(PRESET) --log-level=WARNING >/dev/null
	@cmake --build $(BUILD) --target culprit -j $(JOBS)

demo: build ## check a real network: Spotify's basic-pitch, out of its Python package
	@scripts/setup demo
	$(BUILD)/bin/culprit check $(CACHE)/models/basic-pitch.onnx --samples 3

test: build ## build and run every test
	@scripts/setup networks || echo "make test: without these networks, the tests on them are skipped" >&2
	@cmake --build $(BUILD) -j $(JOBS)
	@rm -f $(BUILD)/tests.xml; code=0; \
	  ctest --preset $(PRESET) -j $(JOBS) --output-junit $(CURDIR)/$(BUILD)/tests.xml --test-output-size-passed 100000000 || code=$$?; \
	  scripts/skipped $(BUILD)/tests.xml; exit $$code

fuzz: build ## 5,000 mutated models through the tool: it must never die, hang or leave anything behind
	@cmake --build $(BUILD) --target fuzz -j $(JOBS)
	$(BUILD)/tests/fuzz/fuzz --seed $(SEED) --models 5000 --keep $(BUILD)/fuzz-kept $(if $(CULPRIT_ZOO),--zoo $(CULPRIT_ZOO)/models)

mutation: build ## mistakes planted in twins of the zoo: all that can be seen are found, and the very node named
	@cmake --build $(BUILD) --target mutation -j $(JOBS)
	$(BUILD)/tests/mutation/mutation --seeds $(SEEDS) $(if $(CULPRIT_ZOO),--zoo $(CULPRIT_ZOO)/models)

bench: build ## culprit side by side with the way its peers do it; what localizing costs
	@scripts/setup peers
	@bench/run $(BUILD)/bin/culprit
	@cmake --build $(BUILD) --target host_corpus -j $(JOBS)
	@bench/localization $(BUILD)/bin/culprit $(BUILD)/tests/integration/host_corpus

format: ## clang-format everything in place
	@git ls-files '*.cc' '*.h' | xargs clang-format-14 -i

lint: build ## clang-format and clang-tidy, as CI runs them
	@cmake --build $(BUILD) -j $(JOBS)
	@scripts/lint $(BUILD)

asan tsan: setup ## all tests under AddressSanitizer + UBSan, or ThreadSanitizer
	@cmake --preset $@ >/dev/null
	@cmake --build build/$@ -j $(JOBS)
	@ctest --preset $@ -j $(JOBS)

clean: ## remove build/; the cache folder stays
	@rm -rf build

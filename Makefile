# Two commands do everything on a fresh machine: `make demo` and `make test`.

SHELL  := bash
PRESET ?= release
BUILD  := build/$(PRESET)
CACHE  := $(or $(CULPRIT_CACHE),$(if $(XDG_CACHE_HOME),$(XDG_CACHE_HOME)/culprit,$(HOME)/.cache/culprit))
JOBS   ?= $(shell nproc)
SEED   ?= 1
SEEDS  ?= 3

# `make test` runs long rows of cases in turns that change with the commit (tests/support/turn.h).
TURN   ?= $(shell git rev-parse HEAD 2>/dev/null)
# $(call tests,PRESET,TURN,ARGUMENTS OF CTEST): ctest, and then what was skipped and why, in place of ctest's list of all
# that had no turn. The exit code is ctest's. Where make is ended, ctest is, too.
without_list = sed -u '/^The following tests did not run:/,/^The following tests FAILED:/{/FAILED:$$/!d}'
tests = @rm -f build/$(1)/tests.xml; code=0; set -m; \
  CULPRIT_TEST_TURN=$(2) ctest --preset $(1) -j $(JOBS) $(3) --output-junit "$(CURDIR)/build/$(1)/tests.xml" --test-output-size-passed 100000000 </dev/null > >($(without_list)) & \
  set +m; trap "kill -- -$$!" INT TERM HUP; wait $$! || code=$$?; wait; \
  scripts/skipped build/$(1)/tests.xml; exit $$code

.PHONY: help setup build package demo test-programs test test-all fuzz mutation broken bench judging backend format lint lint-all asan asan-all tsan clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## system packages, ONNX Optimizer (built once), ONNX Runtime: into the cache folder
	@scripts/setup

build: setup ## the tool: build/release/bin/culprit
	@echo "make: building culprit; the first time this takes 2 to 4 minutes on two cores" >&2
	@cmake --preset $(PRESET) --log-level=WARNING >/dev/null
	@cmake --build $(BUILD) --target culprit -j $(JOBS)

package: setup ## a Python wheel, its source archive, a .deb and a tar.gz, all from one build: into dist/
	@scripts/package

demo: build ## check a real network: Spotify's basic-pitch, out of its Python package
	@scripts/setup demo
	$(BUILD)/bin/culprit check "$(CACHE)/models/basic-pitch.onnx" --samples 3

test-programs: build
	@scripts/setup networks || echo "make test: without these networks, the tests on them are skipped" >&2
	@echo "make: building the tests; the first time this takes 3 to 6 minutes on two cores" >&2
	@cmake --build $(BUILD) -j $(JOBS)

test: test-programs ## build the tests and run them, of long rows of cases some: those whose turn it is at this commit
	@echo "make test: running the tests; this takes $(if $(TURN),6 to 11,20 to 30) minutes on two cores" >&2
	$(call tests,$(PRESET),$(TURN))

test-all: test-programs ## build the tests and run all of them
	@echo "make test-all: running all tests; this takes about 20 minutes on two cores" >&2
	$(call tests,$(PRESET))

fuzz: build ## 5,000 mutated models through the tool: it must never die, hang or leave anything behind
	@cmake --build $(BUILD) --target fuzz -j $(JOBS)
	$(BUILD)/tests/fuzz/fuzz --seed $(SEED) --models 5000 --keep $(BUILD)/fuzz-kept $(if $(CULPRIT_ZOO),--zoo "$(CULPRIT_ZOO)/models")

mutation: build ## mistakes planted in twins of the zoo: all that can be seen are found, and the very node named
	@cmake --build $(BUILD) --target mutation -j $(JOBS)
	$(BUILD)/tests/mutation/mutation --seeds $(SEEDS) $(if $(CULPRIT_ZOO),--zoo "$(CULPRIT_ZOO)/models")

broken: setup ## the tool broken on purpose, one thing at a time, in a copy of the tree: do the tests go red? TURN=: all tests
	@echo "make broken: this takes about 15 minutes on two cores; the first time it builds a copy of the tree, which takes about 10 more" >&2
	@tests/broken/broken.py --jobs $(JOBS) --turn "$(TURN)"

bench: build ## culprit side by side with the way its peers do it; what localizing costs
	@scripts/setup peers
	@scripts/setup backend
	@bench/run $(BUILD)/bin/culprit
	@"$(CACHE)/peers/bin/python" bench/pictures $(BUILD)/bin/culprit
	@"$(CACHE)/peers/bin/python" bench/pictures $(BUILD)/bin/culprit --digits --rounds 5
	@bench/arrays $(BUILD)/bin/culprit
	@cmake --build $(BUILD) --target host_corpus -j $(JOBS)
	@bench/localization $(BUILD)/bin/culprit $(BUILD)/tests/integration/host_corpus
	@cmake --build $(BUILD) --target conversion_corpus -j $(JOBS)
	@bench/repairs $(BUILD)/bin/culprit $(BUILD)/tests/integration/conversion_corpus
	@"$(CACHE)/peers/bin/python" bench/runtime_steps $(BUILD)/bin/culprit
	@bench/campaigns $(BUILD)/bin/culprit
	@bench/hubs $(BUILD)/bin/culprit
	@"$(CACHE)/peers/bin/python" bench/profile_speed $(BUILD)/bin/culprit
	@"$(CACHE)/peers/bin/python" bench/profile_speed $(BUILD)/bin/culprit --uneven --slower 0,10
	@if [ -d "$(CACHE)/frameworks/tensorflow" ] && [ -d "$(CACHE)/frameworks/tflite" ]; then bench/conversions $(BUILD)/bin/culprit; \
	else echo "make bench: bench/conversions is left out; scripts/setup tensorflow and scripts/setup tflite bring what it needs" >&2; fi

judging: build ## how often the judge is wrong: false alarms on clean nets, faults missed of ten times what rounding does
	@scripts/setup peers
	@"$(CACHE)/peers/bin/python" bench/judging $(BUILD)/bin/culprit --jobs $(JOBS)

backend: build ## the 1,422 models of ONNX's own backend tests: no false alarm
	@scripts/setup backend
	@bench/backend $(BUILD)/bin/culprit "$(CACHE)/models/onnx-backend-1.16.2" --jobs $(JOBS)

format: ## clang-format everything in place
	@scripts/lint --format

lint: build ## clang-format, and clang-tidy over what a change can have touched, as CI runs them
	@scripts/lint $(BUILD)

lint-all: build ## the same over the whole tree
	@scripts/lint --all $(BUILD)

asan: setup ## unit tests, workers and a part of the corpus under AddressSanitizer + UBSan
	@cmake --preset $@ >/dev/null
	@cmake --build build/$@ --target sanitized_tests -j $(JOBS)
	$(call tests,$@,$(TURN),-L 'unit|sanitized')

asan-all: setup ## all tests under AddressSanitizer + UBSan
tsan: setup ## all tests under ThreadSanitizer
asan-all tsan:
	@cmake --preset $(@:-all=) >/dev/null
	@cmake --build build/$(@:-all=) -j $(JOBS)
	$(call tests,$(@:-all=))

clean: ## remove build/; the cache folder stays
	@rm -rf build

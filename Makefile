# Voicewright. `make` lists the targets.

SHELL := /usr/bin/env bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

VERSION := $(shell build/package/version.sh)

# The address that "check for a new version" asks (docs/decisions/073-new-versions.md), https://...; empty: the program has no such entry.
UPDATES ?=

# The build of whisper.cpp: native for processors like this one, or baseline for older ones; GPU is empty, cuda or metal.
WHISPER ?= native
GPU     ?=
export C_INCLUDE_PATH := $(CURDIR)/build/lib/whisper/include$(if $(C_INCLUDE_PATH),:$(C_INCLUDE_PATH))
export LIBRARY_PATH   := $(CURDIR)/build/lib/whisper/lib$(if $(LIBRARY_PATH),:$(LIBRARY_PATH))
ifeq ($(GPU),cuda)
export CGO_LDFLAGS += -lggml-cuda -lggml-base -lcudart -lcublas -lcuda
endif

# One set of flags for every target: other flags would mean other objects, and a full rebuild. Go's build cache does not see
# static libraries change, so the linker gets their hash; LIBRARY is read when a recipe needs it, after they are built.
LIBRARY = -X=github.com/voicewright/voicewright/engines/whisper.library=$(shell cat build/lib/whisper/sha256 2>/dev/null)
FLAGS   = -trimpath -buildvcs=false -tags=whisper -ldflags=$(LIBRARY)
LDFLAGS = -s -w -X=github.com/voicewright/voicewright/app.version=$(VERSION) $(if $(UPDATES),-X=github.com/voicewright/voicewright/app.updatesAddress=$(UPDATES)) $(LIBRARY)
DESKTOP := whisper,desktop,production,webkit2_41

# For compilers and linters: they collect garbage less often, which saves them a quarter of their time.
QUICK := GOGC=400 GOMEMLIMIT=1500MiB

SERVICE  := ./app/voicewright-service
PROGRAMS ?= .

LINT_VERSION := v2.15.0
LINT         := build/lib/bin/golangci-lint-$(LINT_VERSION)
NFPM_VERSION := v2.45.2
NFPM         := build/lib/bin/nfpm-$(NFPM_VERSION)
CYCLONEDX_VERSION := v1.10.0
CYCLONEDX         := build/lib/bin/cyclonedx-gomod-$(CYCLONEDX_VERSION)

# Packages whose tests run at once: one more than there are cores, because tests wait for other programs a quarter of their time.
AT_ONCE := $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

# Packages without goroutines and without state that callers share. The race detector has nothing to find in them, and makes them
# five times as slow: they are compiled without it, and their tests run without it.
ALONE := backend/charset backend/extract backend/samples backend/subtitles backend/text backend/transcribe/internal backend/wer engines/english/internal engines/phonemes engines/python engines/tokens engines/whisper/ggml

# The same, but what their tests start runs at once: they count on samples and on bytes. Their internal packages are watched.
SINGLE := backend/audio backend/strictjson

# Engines compute, one sentence at a time: their tests run without the detector too, and those that do several things at once run with
# it as well. The suite that all engines pass has eight callers at once, closing while they speak, and cancels.
ENGINES := $(addprefix engines/,whisper chatterbox diarize kitten kokoro moss piper pocket supertonic)
TOGETHER := Suite|Seeds|AtOnce|Cancel|Clos|LetGo|ErrorsOfRuns

# Those that take longest are tested first, so that at the end no core waits for one of them.
LONGEST := app backend/httpapi backend/audio app/voicewright-service backend/models backend/sqlite backend/proof backend/hosted/maker backend/generations

CONCURRENT := '^\s*go |\.Go\(|"sync"|sync/atomic|errgroup'

# SQLite is C translated to Go, and keeps its data outside Go's heap, where the race detector looks at nothing. With it, its code takes
# ten times as long. Its driver and all others are watched. In the environment, because tests build programs of their own.
# So is the code of CODECS, which shares nothing. What has caches of its own, such as encoding/json, cannot be left out: the detector
# would see its maps, and not the atomic operations that guard them.
MODULE    := github.com/voicewright/voicewright
CODECS    := unicode/utf8 github.com/hajimehoshi/go-mp3/...
UNWATCHED := $(patsubst %,-gcflags=%=-race=false,modernc.org/sqlite/lib modernc.org/libc/... $(CODECS) $(ALONE:%=$(MODULE)/%/...) $(SINGLE:%=$(MODULE)/%))
WATCHED    = GOFLAGS="$$(go env GOFLAGS) $(UNWATCHED)"
RACE_TEST  = $(WATCHED) go test $(FLAGS) -race -timeout 60m

# The programs for tests that start one (app/programtest): built once a run, and shared. They are not in bin/ itself, because a
# program there finds ONNX Runtime in build/lib, and a test says which one is used. The same one is not copied again: tests of another
# target may run it, and then it cannot be written.
TEST_PROGRAMS := $(CURDIR)/bin/test

EMPTY :=
SPACE := $(EMPTY) $(EMPTY)

FUZZTIME ?= 20s
BENCH    ?=
RUNS     ?= 5
ARGS     ?=

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s  %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: ## install what is missing (build/setup --check only reports)
	@build/setup

.PHONY: languages
languages:
	@build/setup --languages

# A first build mostly waits for downloads, so independent steps run in parallel: the system's packages, the modules and
# the page's packages, then the page, whisper.cpp and the compiler.
.PHONY: ready
ready:
	@$(MAKE) -j4 PROGRAMS='$(PROGRAMS)' setup ui whisper $(OBJECTS)

.PHONY: whisper
whisper: setup
	@GPU=$(GPU) build/setup --whisper=$(WHISPER)

.PHONY: objects
objects: setup modules
	@$(DEPENDENCIES) | $(QUICK) xargs go build $(FLAGS)

.PHONY: modules
modules: languages
	@$(DEPENDENCIES) >/dev/null

# Every package of the programs but those that embed the page or call whisper.cpp. CGO_ENABLED is set because the compiler may
# not be installed yet.
DEPENDENCIES = CGO_ENABLED=1 go list -tags=whisper -deps -f '{{if not .Standard}}{{.ImportPath}}{{end}}' $(PROGRAMS) | \
	grep -vE '^github.com/voicewright/voicewright(/app|/app/voicewright-service|/frontend|/engines/whisper.*)?$$|whisper.cpp'

# The page: its packages are installed once for each lock file, and it is built when a source is newer.
UI_INDEX   := frontend/dist/index.html
UI_MODULES := frontend/node_modules/.package-lock.json
UI_SOURCES := $(shell find frontend \( -name node_modules -o -path frontend/dist -o -name test-results -o -path frontend/e2e \) -prune \
	-o -type f ! -name '*.go' ! -name '*.md' ! -name '*.test.ts' ! -name '*.test.tsx' ! -name '.*' -print) backend/httpapi/testdata/openapi.json \
	THIRD_PARTY.md docs/privacy.md

.PHONY: ui
ui: $(UI_INDEX) ## frontend/dist: the page, if its sources changed
	@:

$(UI_MODULES): frontend/package-lock.json | languages
	@cd frontend && npm ci --no-audit --no-fund --loglevel=error >/dev/null
	@touch $@

$(UI_INDEX): $(UI_SOURCES) $(UI_MODULES) | languages
	@cd frontend && npm run --silent build

.PHONY: ui-test
ui-test: $(UI_MODULES) ## tests and linters of the page
	@$(MAKE) -j2 ui-checks ui-units

.PHONY: ui-checks ui-units
ui-checks:
	@cd frontend && npm run --silent lint && npm run --silent typecheck
ui-units:
	@cd frontend && npm run --silent test

# These tests need two more programs: a model hub, and one that fills a library.
.PHONY: e2e
e2e: build ## the page on the real program, in the system's Chromium (SCREENS=1 renews docs/screens)
	@build/setup --browser
	@$(QUICK) go build $(FLAGS) -o bin/ ./build/testhub ./build/seed
	@cd frontend && npm run --silent e2e -- $(ARGS)

.PHONY: window-test
window-test: desktop ## the real window under Xvfb: opens it, generates, checks the history
	@mkdir -p build/demo
	@build/window-test.sh bin/voicewright-desktop build/demo/window.png build/window-steps.sh

.PHONY: window-test-long
window-test-long: desktop ## the same with steps that take a minute: notifications when long jobs end
	@mkdir -p build/demo
	@build/window-test.sh bin/voicewright-desktop build/demo/window-long.png build/window-long-steps.sh

# BIN is the folder of the programs in the pictures: another one, such as /usr/bin, is for programs that are installed. SETUP is the
# installer for Windows, of which there are pictures where make package-windows has made one.
BIN ?= bin
SETUP ?= $(wildcard dist/*-setup.exe)

.PHONY: install-pictures
install-pictures: $(if $(filter bin,$(BIN)),voicewright desktop) ## renews the pictures of docs/install.md: the window, commands and the Windows installer on private displays (Linux)
	@COMMAND='$(abspath $(BIN))/voicewright' PICTURES=docs/screens build/window-test.sh '$(BIN)/voicewright-desktop' build/demo/install.png build/picture-steps.sh
	@[ -z '$(SETUP)' ] || build/picture-windows.sh '$(SETUP)' docs/screens

.PHONY: latency
latency: desktop ## how long a passage that is ready takes to be heard, in the window and in Chromium (three minutes, Linux)
	@build/setup --desktop --sound
	@mkdir -p build/demo
	@go build $(FLAGS) -o bin/latency ./build/latency
	@bin/latency build/window-test.sh bin/voicewright-desktop build/demo/latency.png build/latency-steps.sh

.PHONY: sound-test
sound-test: build ## records through PulseAudio servers that the tests start (Linux)
	@build/setup --sound
	PROGRAM=$(CURDIR)/bin/voicewright $(RACE_TEST) -vet=off -tags whisper,sound -count=1 ./backend/recordings/... ./build/sound

.PHONY: keychain-test
keychain-test: test-programs ## stores secrets in a gnome-keyring that the tests start: unlocked, locked, without an answer (Linux)
	@build/setup --keychain
	$(RACE_TEST) -vet=off -tags whisper,keychain -count=1 ./backend/secrets
	VOICEWRIGHT_TEST_PROGRAMS=$(TEST_PROGRAMS) go test $(FLAGS) -vet=off -tags whisper,keychain -count=1 -timeout 20m -run '^TestKeychain' ./app

.PHONY: postgres-test
postgres-test: languages ## the hosted service's store on PostgreSQL servers that the tests start: suite, lost connections, killed processes (Linux)
	@build/setup --postgres
	go test $(FLAGS) -vet=off -tags whisper,postgres -count=1 -timeout 20m ./backend/service/postgres/...
	go test $(FLAGS) -vet=off -tags whisper,postgres -count=1 -timeout 20m -run '^TestPostgres' ./app/voicewright-service

.PHONY: objects-test
objects-test: languages ## the hosted service's files in s3rver, an object store for Node
	@build/setup --objects
	go test $(FLAGS) -vet=off -tags whisper,s3rver -count=1 -run '^TestS3rver$$' ./backend/service/s3

# KILLS is how many processes each test of several processes of the hosted service kills.
KILLS ?= 100

.PHONY: service-scale-test
service-scale-test: test-programs ## kills and faults under several processes of the hosted service with load, and what they can do (ten minutes, Linux)
	@build/setup --postgres
	@VOICEWRIGHT_TEST_PROGRAMS=$(TEST_PROGRAMS) VOICEWRIGHT_SCALE_KILLS=$(KILLS) go test $(FLAGS) -vet=off -tags whisper,postgres,scale -count=1 -timeout 60m \
		-v $(ARGS) ./build/servicescale | grep -vE '^(=== |PASS$$)'

# EXAMPLES is how many cases the phases fuzzing and stateful make of each operation; ARGS="service" leaves out the other program.
.PHONY: schemathesis
schemathesis: build ## Schemathesis on both programs by their OpenAPI documents (installs it on first use, ten minutes)
	@build/schemathesis.sh $(ARGS)

.PHONY: clients-test
clients-test: build ## OpenAI's clients for Python and Node on the real program
	@build/setup --clients
	@build/clients-test.sh

.PHONY: dictation-test
dictation-test: test-programs ## global shortcuts and typing into other programs, under Xvfb and on a private session bus
	@build/setup --desktop
	@build/setup --sound
	$(RACE_TEST) -vet=off -tags whisper,xserver ./app/shortcuts ./app/typing ./app/indicator
	$(RACE_TEST) -vet=off -tags desktop,xserver ./app/tray
	VOICEWRIGHT_TEST_PROGRAMS=$(TEST_PROGRAMS) go test $(FLAGS) -vet=off -tags whisper,xserver -timeout 20m -run '^TestDictate' ./app

.PHONY: gpu-check
gpu-check: build ## try the graphics card of this machine, and print a page about it (DEVICE=cuda:1, MODELS=DIR)
	@go run $(FLAGS) ./build/gpu-check -device='$(DEVICE)' -models='$(MODELS)' -voice $(CURDIR)/app/testdata/en_US-tone-medium \
		-listener $(CURDIR)/engines/whisper/whispertest/testdata/ggml-plain.bin.gz $(CURDIR)/bin/voicewright

.PHONY: quiet-test
quiet-test: build ## speaks and records, and checks that nothing leaves the machine (Linux, a minute)
	@build/setup --trace --sound
	@go run $(FLAGS) ./build/quiet $(CURDIR)/bin/voicewright $(CURDIR)/app/testdata/en_US-tone-medium $(CURDIR)/engines/whisper/whispertest/testdata/ggml-plain.bin.gz

.PHONY: build
build: PROGRAMS := . $(SERVICE)
build: voicewright voicewright-service ## bin/voicewright: command line and local API; bin/voicewright-service: the hosted API

.PHONY: voicewright
voicewright: OBJECTS := objects
voicewright: ready
	@$(QUICK) go build $(FLAGS) -ldflags '$(LDFLAGS)' -o bin/voicewright .

.PHONY: voicewright-service
voicewright-service: setup languages
	@$(QUICK) go build $(FLAGS) -ldflags '-s -w -X=main.version=$(VERSION)' -o bin/voicewright-service $(SERVICE)

.PHONY: service
service: voicewright-service ## build, then run the hosted service with an issuer for trying out (ARGS is passed on)
	@exec bin/voicewright-service run --dev-idp $(ARGS)

.PHONY: service-image-test
service-image-test: voicewright-service ## builds the service's image on a Debian of mmdebstrap and speaks in it (root, Linux, three minutes)
	@build/service/image-test.sh

.PHONY: desktop
desktop: ready ## bin/voicewright-desktop: with the window
	@build/setup --desktop
	@$(QUICK) go build $(FLAGS) -tags $(DESKTOP) -ldflags '$(LDFLAGS)' -o bin/voicewright-desktop .

# TARGET is linux-amd64, linux-arm64 or windows-amd64.
TARGET ?= linux-amd64

.PHONY: cross
cross: ui ## bin/TARGET: the programs as packages have them, for every processor of TARGET=linux-amd64, linux-arm64, windows-amd64
	@VERSION='$(VERSION)' UPDATES='$(UPDATES)' $(QUICK) build/cross.sh $(TARGET) --programs

.PHONY: package
package: $(NFPM) $(CYCLONEDX) ## dist/: packages with checksums and a bill of materials, and their sizes
	@build/setup --package
	@$(MAKE) cross TARGET=linux-amd64
	@VERSION='$(VERSION)' NFPM=$(NFPM) CYCLONEDX=$(CYCLONEDX) build/package/package.sh
	@$(MAKE) package-tar
	@$(MAKE) package-windows
	@build/package/sums.sh

.PHONY: package-windows
package-windows: $(CYCLONEDX) ## dist/: an archive and an installer for Windows
	@build/setup --windows
	@$(MAKE) cross TARGET=windows-amd64
	@VERSION='$(VERSION)' CYCLONEDX=$(CYCLONEDX) build/package/windows.sh

.PHONY: package-windows-test
package-windows-test: package-windows ## installs, upgrades and removes the installer's program under wine
	@env -u WINEPREFIX build/package/windows/installer-test.sh dist/*-windows-x64-setup.exe

.PHONY: windows-test
windows-test: package-windows ## installs the program for Windows under wine and uses it, logged in dist/windows-test.log (ten minutes)
	@build/windows-test.sh dist/*-windows-x64-setup.exe $(ARGS)

.PHONY: package-reproducible
package-reproducible: $(NFPM) $(CYCLONEDX) ## makes the packages in two copies of the last commit, and compares them (half an hour)
	@build/package/reproducible.sh

# The manual pages and completions are those that the packages have.
.PHONY: package-tar
package-tar:
	@$(MAKE) cross TARGET=linux-arm64
	@rm -f dist/*.tar.[gx]z
	@VERSION='$(VERSION)' CYCLONEDX=$(CYCLONEDX) build/package/tar.sh linux-amd64
	@VERSION='$(VERSION)' CYCLONEDX=$(CYCLONEDX) build/package/tar.sh linux-arm64

.PHONY: package-macos
package-macos: ui $(CYCLONEDX) ## dist/: the app for macOS in a disk image (a Mac with Apple silicon; unverified)
	@VERSION='$(VERSION)' UPDATES='$(UPDATES)' CYCLONEDX=$(CYCLONEDX) build/package/macos.sh

.PHONY: package-check
package-check: ui $(NFPM) $(CYCLONEDX) ## what CI makes of it: the .deb packages and their sizes, and whether the programs compile for Windows and arm64
	@build/setup --package
	@$(MAKE) cross TARGET=linux-amd64
	@VERSION='$(VERSION)' NFPM=$(NFPM) CYCLONEDX=$(CYCLONEDX) FORMATS=deb DIST=build/lib/package-check build/package/package.sh
	@build/package/sizes.sh build/lib/package-check
	@$(QUICK) build/cross.sh windows-amd64 --check
	@$(QUICK) build/cross.sh linux-arm64 --check

.PHONY: arm64-test
arm64-test: whisper ## what arm64 runs under QEMU: the tests of packages without C, ONNX Runtime, whisper.cpp, and the program (Linux, half an hour)
	@build/setup --arm64
	@$(MAKE) cross TARGET=linux-arm64
	@build/arm64-test.sh

.PHONY: darwin-vet
darwin-vet: languages ## go vet for macOS, of every package that needs no C there
	@build/without-c.sh darwin-arm64 | xargs env -u GOFLAGS GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 go vet -trimpath -buildvcs=false

# SUITES are the releases of Debian. The packages are those in dist/: make package has made them before.
SUITES ?= bookworm trixie

.PHONY: package-test
package-test: ## installs, uses, upgrades and removes the packages of dist/ in clean chroots of Debian 12 and 13 (Linux, some minutes each)
	@build/setup --package --desktop
	@build/package/test/run.sh $(SUITES)

# Linux: what "Open with" of a desktop finds, and the programs where it looks for them. The entry names the program by its path:
# not every desktop has ~/.local/bin in its own.
PREFIX ?= $(HOME)/.local
DESTDIR ?=
INSTALLED := $(DESTDIR)$(PREFIX)
APPLICATIONS := $(INSTALLED)/share/applications
ICON := $(INSTALLED)/share/icons/hicolor/scalable/apps/voicewright.svg
UPDATE_APPLICATIONS := if command -v update-desktop-database >/dev/null && test -d '$(APPLICATIONS)'; then \
	update-desktop-database -q '$(APPLICATIONS)'; fi

.PHONY: install
install: voicewright desktop ## both programs, and the window's entry in the menus of a Linux desktop, below PREFIX
	@install -D -t '$(INSTALLED)/bin' bin/voicewright bin/voicewright-desktop
	@install -D -m 644 -t '$(INSTALLED)/lib/onnxruntime' build/lib/onnxruntime/libonnxruntime.so.1
	@install -D -m 644 -t '$(APPLICATIONS)' build/package/voicewright.desktop
	@sed -i 's|^Exec=voicewright-desktop|Exec="$(PREFIX)/bin/voicewright-desktop"|' '$(APPLICATIONS)/voicewright.desktop'
	@install -D -m 644 frontend/public/icon.svg '$(ICON)'
	@$(UPDATE_APPLICATIONS)

.PHONY: uninstall
uninstall: ## remove what install put below PREFIX; voices, history and settings stay
	@rm -f '$(INSTALLED)'/bin/voicewright '$(INSTALLED)'/bin/voicewright-desktop '$(INSTALLED)'/lib/onnxruntime/libonnxruntime.so.1 \
		'$(APPLICATIONS)/voicewright.desktop' '$(ICON)'
	@rmdir '$(INSTALLED)/lib/onnxruntime' 2>/dev/null || true
	@$(UPDATE_APPLICATIONS)

.PHONY: run
run: build ## build, then serve the page and the local API (ARGS="--addr ..." is passed on)
	@exec bin/voicewright serve $(ARGS)

# Only what speaks: no page, no whisper.cpp, no microphone. All other packages compile as they do for `make run`, which finds them
# in Go's cache. The program is not put into bin/, where the complete one belongs.
.PHONY: demo
demo: ## build only what speaks, and speak one sentence into build/demo/hello.wav
	@build/setup --demo
	@$(QUICK) go build -trimpath -buildvcs=false -tags=nomicrophone -ldflags '-s -w -X=$(MODULE)/app.version=$(VERSION)' -o build/demo/voicewright .
	@build/demo.sh build/demo/voicewright

.PHONY: test-programs watched-programs
test-programs: build
	@mkdir -p $(TEST_PROGRAMS)
	@for program in voicewright voicewright-service; do \
		cmp -s bin/$$program $(TEST_PROGRAMS)/$$program || cp -p bin/$$program $(TEST_PROGRAMS)/; done
	@go build $(FLAGS) -o $(TEST_PROGRAMS)/ ./app/programtest/standin
watched-programs: test-programs
	@$(QUICK) $(WATCHED) go build $(FLAGS) -race -o $(TEST_PROGRAMS)/watched/ . $(SERVICE)

test test-race: export VOICEWRIGHT_TEST_PROGRAMS := $(TEST_PROGRAMS)

# Without vet, as the tests of other targets: make lint has run it, with more analyses.
.PHONY: test
test: watched-programs ## every test, with the race detector where anything runs at the same time
	@awk '/^func / {name = $$2} /go func|\.Go\(| start\(|enginetest\.Run|AfterFunc/ && name ~ /^Test/ && name !~ /$(TOGETHER)/ {print FILENAME, name; found = 1} \
		END {exit found}' $(ENGINES:%=%/*_test.go) || { echo 'These do several things at once: name them so (TOGETHER).' >&2; exit 1; }
	@! grep -lE $(CONCURRENT) $$(find $(ALONE) -name '*.go') $$(ls $(SINGLE:%=%/*.go) | grep -v _test.go) || { echo 'These run goroutines: test them with the race detector (ALONE, SINGLE).' >&2; exit 1; }
	go test -trimpath -buildvcs=false -tags=nomicrophone ./engines/whisper ./backend/recordings/microphone # what `make demo` leaves out
	go test $(FLAGS) -vet=off -timeout 60m -p $(AT_ONCE) $(ENGINES:%=./%) $(ALONE:%=./%/...)
	$(RACE_TEST) -vet=off -p $(AT_ONCE) -run '$(TOGETHER)' $(ENGINES:%=./%)
	$(RACE_TEST) -vet=off -p $(AT_ONCE) $(LONGEST:%=./%) $$(go list $(FLAGS) ./... | grep -vE '/($(subst $(SPACE),|,$(ENGINES)))$$|/($(subst $(SPACE),|,$(ALONE)))(/|$$)')

.PHONY: test-race
test-race: watched-programs ## the same three times in random order, to find races and tests that depend on each other
	$(RACE_TEST) -count=3 -shuffle=on ./...

# BASE is the branch that the tree is compared with.
BASE ?= main

.PHONY: check
check: setup whisper $(LINT) $(UI_MODULES) ## what changed against BASE and what depends on it: format, lint, types, tests without the race detector
	@GOFLAGS="$$(go env GOFLAGS) -buildvcs=false" build/check.sh $(BASE) $(LINT) $(FLAGS)

.PHONY: lint
lint: setup whisper $(LINT) ## dependencies, style, sizes, words and format (the linter is built on first use, about a minute)
	@$(QUICK) GOFLAGS="$$(go env GOFLAGS) -buildvcs=false" $(LINT) run ./...
	@go vet $(FLAGS) -tags whisper,xserver,sound,keychain,postgres,s3rver,scale ./app ./app/shortcuts ./app/typing ./app/indicator ./backend/recordings/... ./backend/secrets ./backend/service/postgres/... ./backend/service/s3 ./app/voicewright-service ./build/servicescale ./build/sound
	@go vet $(FLAGS) -tags desktop,xserver ./app/tray
	@go run $(FLAGS) ./build/limits
	@go run $(FLAGS) ./build/words

.PHONY: gen
gen: setup whisper $(UI_MODULES) ## write the generated files again
	@GOFLAGS="$$(go env GOFLAGS) $(FLAGS)" go generate ./...
	@cd frontend && npm run --silent gen:api

.PHONY: bench
bench: build ## measure, beside the goals, and write the figures into docs/benchmarks.md (BENCH=regexp or heavy selects, RUNS=5)
	@GPU=$(GPU) build/whisper.sh $(WHISPER) --cli
	@go run $(FLAGS) ./build/bench -bench '$(BENCH)' -runs '$(RUNS)' -- $(FLAGS)

.PHONY: kill-test
kill-test: ready ## kills a generation at 20 moments, continues it, and prints what was stored and spoken again (a minute)
	@go test $(FLAGS) -tags soak -run '^TestSoakKill$$' -v -count=1 ./backend/generations | grep -vE '^(=== |PASS$$)'

.PHONY: book-kill-test
book-kill-test: ready ## kills the program at 30 random moments while a book is made, and prints its state before and after (minutes)
	@go test $(FLAGS) -tags whisper,soak -run '^TestSoakKillBook$$' -v -count=1 ./app | grep -vE '^(=== |PASS$$)'

.PHONY: speakers-kill-test
speakers-kill-test: ready ## kills the program at 20 random moments while it finds speakers, and prints what was left and what was said
	@go test $(FLAGS) -tags whisper,soak -run '^TestSoakKillSpeakers$$' -v -count=1 ./app | grep -vE '^(=== |PASS$$)'

.PHONY: kill-mixed-test
kill-mixed-test: test-programs ## kills the program at 100 random moments of mixed work, and prints what ran and what was lost (SEED repeats a run; half an hour, Linux)
	@VOICEWRIGHT_TEST_PROGRAMS=$(TEST_PROGRAMS) VOICEWRIGHT_SEED=$(SEED) go test $(FLAGS) -tags whisper,soak -run '^TestSoakKillMixed$$' -v -count=1 -timeout 2h ./app | grep -vE '^(=== |PASS$$)'

# The tests mount a tmpfs of a few pages. A plain user may do so as the root of a user namespace, with its own mounts: unshare (util-linux)
# and a kernel that permits these namespaces are all that is needed, no root and no quota.
MOUNTING := unshare --user --map-root-user --mount

.PHONY: disk-full-test
disk-full-test: test-programs ## has both programs write everything on a disk that fills after each page in turn (half an hour, Linux, user namespaces)
	@build/setup --sound
	@$(MOUNTING) mount -t tmpfs tmpfs bin || { echo 'This user may not mount a file system in a user namespace: allow it (kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0), or be root.' >&2; exit 1; }
	@VOICEWRIGHT_TEST_PROGRAMS=$(TEST_PROGRAMS) $(MOUNTING) \
		go test $(FLAGS) -tags whisper,soak -run '^TestSoakFullDisk' -v -count=1 -p 1 -timeout 2h ./app ./app/voicewright-service | grep -vE '^(=== |PASS$$)'

.PHONY: disk-errors-test
disk-errors-test: test-programs ## fails each sync, rename, new folder and truncation of commands that write (strace injects the errors; ten minutes, Linux)
	@build/setup --trace
	@VOICEWRIGHT_TEST_PROGRAMS=$(TEST_PROGRAMS) go test $(FLAGS) -tags whisper,soak -run '^TestSoakDiskErrors$$' -v -count=1 -timeout 2h ./app | grep -vE '^(=== |PASS$$)'

.PHONY: migration-kill-test
migration-kill-test: test-programs ## kills both programs at writes of upgrades from each earlier schema, SQLite and PostgreSQL (strace, a quarter of an hour, Linux)
	@build/setup --trace --postgres
	@VOICEWRIGHT_TEST_PROGRAMS=$(TEST_PROGRAMS) go test $(FLAGS) -tags whisper,soak,postgres -run '^TestSoakKillInAMigration$$' -v -count=1 -p 1 -timeout 2h \
		./app ./app/voicewright-service | grep -vE '^(=== |PASS$$)'

.PHONY: soak-mixed
soak-mixed: test-programs ## two hours of a busy user's work in ten minutes, and what memory, goroutines and handles do, then of both databases of the hosted service (PERCENT=20 for less, SEED repeats a run; Linux)
	@VOICEWRIGHT_TEST_PROGRAMS=$(TEST_PROGRAMS) VOICEWRIGHT_SEED=$(SEED) VOICEWRIGHT_SOAK_PERCENT=$(PERCENT) go test $(FLAGS) -tags whisper,soak -run '^TestSoakMixed$$' -v -count=1 -timeout 2h ./app | grep -vE '^(=== |PASS$$)'
	@build/setup --postgres
	@VOICEWRIGHT_TEST_PROGRAMS=$(TEST_PROGRAMS) VOICEWRIGHT_SOAK_PERCENT=$(PERCENT) go test $(FLAGS) -tags whisper,postgres,scale,soak -run '^TestSoakService$$' -v -count=1 ./build/servicescale | grep -vE '^(=== |PASS$$)'

.PHONY: soak
soak: ready ## hours of audio and long runs, with the memory that they take (an hour)
	@build/soak.sh $(FLAGS)

# PARITY is the folder of the kits; without it the tests use the cases in testdata.
PARITY ?= $(VOICEWRIGHT_PARITY)

.PHONY: parity
parity: ready ## compare with the reference implementations on other kits (PARITY=DIR, or VOICEWRIGHT_PARITY)
	@build/parity.sh '$(PARITY)' $(FLAGS)

.PHONY: fuzz
fuzz: setup whisper ## run every fuzz target for FUZZTIME (20s each)
	@build/fuzz.sh $(FUZZTIME) $(FLAGS)

GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.9.0

.PHONY: vulnerabilities
vulnerabilities: setup whisper $(UI_MODULES) ## ask the public lists of known vulnerabilities about the modules in use (needs a network; unverified)
	@go run $(GOVULNCHECK) -tags=whisper ./...
	@cd frontend && npm audit

.PHONY: clean
clean: ## remove what was built, keep what setup installed
	@rm -rf bin build/demo resources_windows_amd64.syso
	@find frontend/dist -mindepth 1 ! -name placeholder.txt -delete

$(LINT):
	@echo "building golangci-lint $(LINT_VERSION)"
	@GOBIN=$(CURDIR)/build/lib/bin go install -trimpath github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VERSION)
	@mv build/lib/bin/golangci-lint $@

$(NFPM):
	@echo "building nfpm $(NFPM_VERSION)"
	@GOBIN=$(CURDIR)/build/lib/bin go install -trimpath github.com/goreleaser/nfpm/v2/cmd/nfpm@$(NFPM_VERSION)
	@mv build/lib/bin/nfpm $@

$(CYCLONEDX):
	@echo "building cyclonedx-gomod $(CYCLONEDX_VERSION)"
	@GOBIN=$(CURDIR)/build/lib/bin go install -trimpath github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@$(CYCLONEDX_VERSION)
	@mv build/lib/bin/cyclonedx-gomod $@

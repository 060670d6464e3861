#!/usr/bin/env bash
# Builds the programs for a platform that packages are made for, on this machine: linux-amd64, linux-arm64, windows-amd64, or
# darwin-arm64 where this machine is one.
#
#   build/cross.sh TARGET               prepares build/lib/TARGET: whisper.cpp for every processor of the platform, and ONNX Runtime
#   build/cross.sh TARGET --programs    also builds bin/TARGET/: voicewright, voicewright-service, and voicewright-desktop for the
#                                       platforms that have a window here (not linux-arm64, for which there is no GTK)
#   build/cross.sh TARGET --check       only compiles the programs, without whisper.cpp, and keeps nothing: whether they still can be
#   build/cross.sh TARGET COMMAND...    also runs a command, such as "go test -c", in the environment of a build for the target
#
# VERSION is the version of the programs. They are stripped and name no folder of this machine: the same tree and version give the
# same bytes. The page is built before (make ui).
set -euo pipefail
cd "$(dirname "$0")/.."
source build/target.sh

readonly module=github.com/voicewright/voicewright
# A window without WebView2 opens Microsoft's page instead of downloading it.
readonly window_on_windows=desktop,production,wv2runtime.browser

# use_environment has Go and its compilers build for the target, with nothing of what they are set to for this machine, and sets
# link_flags, which every program needs. CGO_LDFLAGS would be part of each package that has C in it, and those that import it: with
# a folder in it, what one tree compiles would serve no other.
use_environment() {
	local library=$PWD/build/lib/$target/whisper outside=
	use_target "$target"
	unset CPATH CGO_CFLAGS CGO_CPPFLAGS CGO_CXXFLAGS CGO_LDFLAGS GOAMD64 GOARM64
	export CGO_ENABLED=1 GOOS=${target%-*} GOARCH=${target#*-} CC=$target_cc CXX=$target_cxx
	export C_INCLUDE_PATH=$library/include CPLUS_INCLUDE_PATH=$library/include LIBRARY_PATH=$library/lib
	# A compiler for another machine does not read LIBRARY_PATH, and Windows has none of the libraries of GCC.
	[ "$target" = "$(this_platform)" ] || outside=-Lbuild/lib/$target/whisper/lib # relative: the flag may have no spaces
	[ "$GOOS" != windows ] || outside="-static $outside"
	link_flags="-X=$module/engines/whisper.library=$(cat "$library/sha256" 2>/dev/null || true)"
	[ -z "$outside" ] || link_flags+=" '-extldflags=$outside'"
	export GOFLAGS="-trimpath -buildvcs=false -tags=whisper \"-ldflags=$link_flags\""
}

# build NAME PACKAGE TAGS [LINKER FLAGS...] builds one program. Without -buildid its bytes would depend on the folder of this tree. huma's
# handler is compiled for each of 146 pairs of types: without inlined functions they are 1.1 MB smaller, and answer as fast.
build() {
	local suffix=
	[ "$GOOS" != windows ] || suffix=.exe
	go build -tags="$3" -gcflags="$module/backend/httpapi=-l" -ldflags="-s -w -buildid= $link_flags ${*:4}" -o "bin/$target/$1$suffix" "$2"
}

programs() {
	local app="-X=$module/app.version=${VERSION:-unknown}"
	[ -z "${UPDATES:-}" ] || app+=" -X=$module/app.updatesAddress=$UPDATES"
	build voicewright . whisper "$app"
	build voicewright-service ./app/voicewright-service whisper "-X=main.version=${VERSION:-unknown}"
	case $target in
	linux-amd64) build voicewright-desktop . whisper,desktop,production,webkit2_41 "$app" ;;
	darwin-*) build voicewright-desktop . whisper,desktop,production "$app" ;;
	windows-*) build voicewright-desktop . "whisper,$window_on_windows" "$app" -H=windowsgui ;;
	esac
}

# check compiles and links what --programs does, but for the service, which has nothing of its own that depends on the platform.
check() {
	local flags="-s -w $link_flags"
	go build -tags= -ldflags="$flags" -o /dev/null .
	[ "$GOOS" != windows ] || go build -tags=$window_on_windows -ldflags="$flags -H=windowsgui" -o /dev/null .
}

target=${1:-}
use_target "$target" || {
	echo "usage: build/cross.sh TARGET [--programs | --check | COMMAND...]; TARGET is $all_targets" >&2
	exit 2
}
shift
needs=("--target=$target")
case $target,${1:-} in
linux-amd64,--programs) needs+=(--desktop) ;;
*,--check) needs=("--compilers=$target") ;;
esac
build/setup "${needs[@]}"
[ $# -gt 0 ] || exit 0
[ "$target,$1" != windows-amd64,--programs ] || build/package/windows/resources.sh
use_environment
case $1 in
--programs) programs ;;
--check) check ;;
*) exec "$@" ;;
esac

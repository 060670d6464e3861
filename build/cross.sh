#!/usr/bin/env bash
# Builds the programs for a platform that packages are made for, on this machine: linux-amd64, linux-arm64, windows-amd64, or
# darwin-arm64 where this machine is one.
#
#   build/cross.sh TARGET               prepares build/lib/TARGET: whisper.cpp for every processor of the platform, and ONNX Runtime
#   build/cross.sh TARGET --programs    also builds bin/TARGET/: voicewright, voicewright-service, and voicewright-desktop for the
#                                       platforms that have a window here (not linux-arm64, for which there is no GTK)
#   build/cross.sh TARGET COMMAND...    also runs a command, such as "go test -c", in the environment of a build for the target
#
# VERSION is the version of the programs. They are stripped and name no folder of this machine: the same tree and version give the
# same bytes. The page is built before (make ui).
set -euo pipefail
cd "$(dirname "$0")/.."
source build/target.sh

readonly module=github.com/voicewright/voicewright

# use_environment has Go and its compilers build for the target, with nothing of what they are set to for this machine.
use_environment() {
	local library=$PWD/build/lib/$target/whisper flags=
	use_target "$target"
	unset CPATH CGO_CFLAGS CGO_CPPFLAGS CGO_CXXFLAGS CGO_LDFLAGS GOAMD64 GOARM64
	export CGO_ENABLED=1 GOOS=${target%-*} GOARCH=${target#*-} CC=$target_cc CXX=$target_cxx GOFLAGS='-trimpath -buildvcs=false -tags=whisper'
	# What is compiled in another environment stays in Go's cache for this one too, as long as only these variables differ.
	export C_INCLUDE_PATH=$library/include CPLUS_INCLUDE_PATH=$library/include LIBRARY_PATH=$library/lib
	# A compiler for another machine does not read LIBRARY_PATH, and Windows has none of the libraries of GCC.
	[ "$target" = "$(this_platform)" ] || flags=-L$LIBRARY_PATH
	[ "$GOOS" != windows ] || flags="-static $flags"
	[ -z "$flags" ] || export CGO_LDFLAGS=$flags
}

# build NAME PACKAGE TAGS [LINKER FLAGS...] builds one program. Without -buildid its bytes would depend on the folder of this tree.
build() {
	local suffix=
	[ "$GOOS" != windows ] || suffix=.exe
	go build -tags="$3" -ldflags="-s -w -buildid= $library_flag ${*:4}" -o "bin/$target/$1$suffix" "$2"
}

programs() {
	local library_flag app="-X=$module/app.version=${VERSION:-unknown}" version=${VERSION:-unknown}
	[ -z "${UPDATES:-}" ] || app+=" -X=$module/app.updatesAddress=$UPDATES"
	library_flag=-X=$module/engines/whisper.library=$(cat "build/lib/$target/whisper/sha256")
	build voicewright . whisper "$app"
	build voicewright-service ./app/voicewright-service whisper "-X=main.version=$version"
	case $target in
	linux-amd64) build voicewright-desktop . whisper,desktop,production,webkit2_41 "$app" ;;
	darwin-*) build voicewright-desktop . whisper,desktop,production "$app" ;;
	# A window without WebView2 opens Microsoft's page instead of downloading it.
	windows-*) build voicewright-desktop . whisper,desktop,production,wv2runtime.browser "$app" -H=windowsgui ;;
	esac
}

target=${1:-}
use_target "$target" || {
	echo "usage: build/cross.sh TARGET [--programs | COMMAND...]; TARGET is $all_targets" >&2
	exit 2
}
shift
needs=("--target=$target")
[ "$target,${1:-}" != linux-amd64,--programs ] || needs+=(--desktop)
build/setup "${needs[@]}"
[ $# -gt 0 ] || exit 0
use_environment
if [ "$1" = --programs ]; then programs; else exec "$@"; fi

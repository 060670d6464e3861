# Sourced by build/cross.sh, build/setup and build/whisper.sh: the platforms that packages are built for, and their compilers.

readonly all_targets='linux-amd64, linux-arm64, windows-amd64, and darwin-arm64 on such a machine'

# this_platform prints the platform of this machine as Go names it, GOOS-GOARCH.
this_platform() {
	local system machine
	case $(uname -s) in
	Darwin) system=darwin ;;
	MINGW* | MSYS*) system=windows ;;
	*) system=$(uname -s | tr '[:upper:]' '[:lower:]') ;;
	esac
	machine=$(uname -m)
	case $machine in
	x86_64) machine=amd64 ;;
	aarch64) machine=arm64 ;;
	esac
	echo "$system-$machine"
}

# use_target TARGET sets target_cc, target_cxx and target_ar, the compilers for it, and target_cmake, what CMake has to know to compile
# for another machine than this. Its status is 1 for a platform that is none of these.
use_target() {
	local prefix= threads= system=Linux machine=x86_64
	case $1 in
	linux-amd64) prefix=x86_64-linux-gnu- ;;
	linux-arm64) prefix=aarch64-linux-gnu- machine=aarch64 ;;
	darwin-arm64) [ "$1" = "$(this_platform)" ] || return 1 ;;
	# The variant whose C++ library has threads.
	windows-amd64) prefix=x86_64-w64-mingw32- threads=-posix system=Windows ;;
	*) return 1 ;;
	esac
	target_cmake=()
	if [ "$1" = "$(this_platform)" ]; then
		prefix=
	else
		target_cmake=("-DCMAKE_SYSTEM_NAME=$system" "-DCMAKE_SYSTEM_PROCESSOR=$machine")
	fi
	target_cc=${prefix}gcc$threads target_cxx=${prefix}g++$threads target_ar=${prefix}ar
	target_cmake+=("-DCMAKE_C_COMPILER=$target_cc" "-DCMAKE_CXX_COMPILER=$target_cxx")
}

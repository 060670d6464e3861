#!/usr/bin/env bash
# Builds whisper.cpp as static libraries into build/lib/whisper: include, lib and the file sha256, which identifies the built
# libraries for the linker flags, because Go's build cache does not see such libraries change. `build/setup --whisper` runs it
# after the compilers are installed. It prints and does nothing when these sources were built with these flags.
#
#   build/whisper.sh [native|baseline] [--cli] [--check]
#   build/whisper.sh --target=GOOS-GOARCH [--check]
#
# native (default) is for processors like this one, baseline for every x86-64 processor with SSE4.2: without AVX, several times
# slower. --cli also builds bin/whisper-cli, for comparisons. --check only reports whether there is something to build, by its
# exit status. GPU=cuda or GPU=metal in the environment builds for that GPU as well. --target builds the baseline of a platform that
# packages are built for, whatever this machine is, into build/lib/GOOS-GOARCH/whisper, without a GPU.
set -euo pipefail
cd "$(dirname "$0")/.."
source build/target.sh

# The npm package carries the sources of whisper.cpp 1.9.1; nothing in it is run.
readonly package=nodejs-whisper@0.3.1
readonly package_sha256=92041caf2b26c74b7f489fedf37bd093f216eebd61df512045ec2d19d0531d37

die() {
	printf 'whisper: %s\n' "$*" >&2
	exit 1
}

variant=native cli=false check=false
dir=build/lib/whisper platform=$(this_platform) compiler=${CC:-cc} archiver=ar
target_cmake=()
for argument; do
	case $argument in
	native | baseline) variant=$argument ;;
	--cli) cli=true ;;
	--check) check=true ;;
	--target=*)
		platform=${argument#*=}
		use_target "$platform" || die "unknown target: $platform; there are $all_targets."
		variant=baseline GPU= dir=build/lib/$platform/whisper compiler=$target_cc archiver=$target_ar
		;;
	*) die "unknown argument: $argument" ;;
	esac
done

flags=(-DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF -DGGML_OPENMP=OFF -DGGML_CCACHE=OFF
	-DWHISPER_BUILD_TESTS=OFF -DWHISPER_BUILD_SERVER=OFF ${target_cmake[@]+"${target_cmake[@]}"})
instructions=()
if [ "$variant" = native ]; then
	flags+=(-DGGML_NATIVE=ON)
	case $platform in *-amd64) instructions=(-march=native) ;; *) instructions=(-mcpu=native) ;; esac
else
	flags+=(-DGGML_NATIVE=OFF)
	for set in AVX AVX2 BMI2 FMA F16C; do flags+=("-DGGML_$set=OFF"); done
	case $platform in *-amd64) instructions=(-msse4.2) ;; esac
fi
case ${GPU:-} in
cuda) flags+=(-DGGML_CUDA=ON) ;;
metal | '') ;; # CMake turns Metal on by default on macOS
*) die "GPU=$GPU is unknown; use GPU=cuda or GPU=metal." ;;
esac

sha256() {
	if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -d' ' -f1
}

# key identifies sources and flags.
key() {
	{
		echo "$package_sha256" "${flags[*]}" "${instructions[*]-}"
		cat build/whisper.sh build/target.sh build/whisper-features.c build/whisper-windows.h build/whisper.patch
	} | sha256
}

key=$(key)
is_built() {
	[ "$(cat "$dir/key" 2>/dev/null)" = "$key" ] && { ! $cli || [ -x "$dir/bin/whisper-cli" ]; }
}
if is_built; then exit 0; fi
! $check || exit 1

mkdir -p "$(dirname "$dir")"
scratch=$(mktemp -d "$PWD/$(dirname "$dir")/.whisper.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# fetch unpacks the sources into $scratch/package.
fetch() {
	local file
	(cd "$scratch" && npm pack --silent --ignore-scripts "$package" >/dev/null) || die "npm could not download $package."
	file=$scratch/${package/@/-}.tgz
	[ "$(sha256 <"$file")" = "$package_sha256" ] || die "$package is not the expected file (sha256 differs)."
	tar -xzf "$file" -C "$scratch" package/cpp/whisper.cpp package/LICENSE
}

# run COMMAND... shows its output only if it fails.
run() {
	"$@" >"$scratch/log" 2>&1 || {
		tail -n 30 "$scratch/log" >&2
		die "$1 failed; see its message above."
	}
}

# compile builds the libraries, and whisper-cli if it is asked for.
compile() {
	local sources=$scratch/package/cpp/whisper.cpp targets=(whisper)
	! $cli || targets+=(whisper-cli)
	local paths=-ffile-prefix-map=$sources=whisper.cpp # no names of folders of this machine, and the same library each time
	local headers=()
	case $platform in windows-*) headers=(-D_WIN32_WINNT=0x0A00 -include "$PWD/build/whisper-windows.h") ;; esac
	run patch -d "$sources" -p1 -i "$PWD/build/whisper.patch"
	run cmake -S "$sources" -B "$scratch/out" -G 'Unix Makefiles' "${flags[@]}" -DWHISPER_BUILD_EXAMPLES="$($cli && echo ON || echo OFF)" \
		-DCMAKE_C_FLAGS="$paths ${headers[*]-}" -DCMAKE_CXX_FLAGS="$paths"
	run cmake --build "$scratch/out" -j "$(getconf _NPROCESSORS_ONLN)" --target "${targets[@]}"
	run "$compiler" -O2 ${instructions[@]+"${instructions[@]}"} -c build/whisper-features.c -o "$scratch/features.o"
	run "$archiver" r "$scratch/out/src/libwhisper.a" "$scratch/features.o"
}

# install puts headers and libraries beside the final place, and then into it.
install() {
	local sources=$scratch/package/cpp/whisper.cpp new=$scratch/new file name
	mkdir -p "$new/include" "$new/lib" "$new/bin"
	cp "$sources/include/whisper.h" "$sources"/ggml/include/{ggml,ggml-alloc,ggml-backend,ggml-cpu}.h "$new/include/"
	find "$scratch/out/src" "$scratch/out/ggml" -name '*.a' | while read -r file; do
		name=${file##*/}
		cp "$file" "$new/lib/lib${name#lib}" # for Windows some are made without the lib that linkers want
	done
	! $cli || cp "$scratch/out/bin/whisper-cli" "$new/bin/"
	cp "$sources/LICENSE" "$new/"
	cat "$new"/lib/*.a | sha256 >"$new/sha256"
	echo "$key" >"$new/key"
	rm -rf "$dir"
	mv "$new" "$dir"
}

case $dir,$variant in
build/lib/whisper,native) purpose="this machine's processor" ;;
build/lib/whisper,*) purpose="this machine's family of processors" ;;
*) purpose=$platform ;;
esac
echo "whisper: building whisper.cpp for $purpose, about a minute"
fetch
compile
install

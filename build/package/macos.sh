#!/usr/bin/env bash
# Makes dist/voicewright-VERSION-macos-arm64.dmg, with Voicewright.app in it, on a Mac with Apple silicon. It needs Apple's command
# line tools (xcode-select --install), Go and Node. Nobody has run it yet.
#
#   build/package/macos.sh        from `make package-macos`, which names cyclonedx-gomod in CYCLONEDX
#
# The app is signed ad hoc, by nobody: macOS refuses to open it as long as it has the mark of a download, and
# build/package/macos/INSTALL.txt says how to remove that. IDENTITY="Developer ID Application: ..." signs it by a developer of Apple's
# instead, as notarization wants it.
set -euo pipefail
cd "$(dirname "$0")/../.."
umask 022
export LC_ALL=en_US.UTF-8 TZ=UTC

readonly target=darwin-arm64 # ONNX Runtime has no library for Intel
readonly identity=${IDENTITY:--}

[ "$(uname -s)-$(uname -m)" = Darwin-arm64 ] || {
	echo "macos: this needs a Mac with Apple silicon, for its SDK and its codesign." >&2
	exit 1
}

VERSION=$(build/package/version.sh)
export VERSION MACOSX_DEPLOYMENT_TARGET=14.0 # that of ONNX Runtime
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
app=$scratch/disk/Voicewright.app
programs=$app/Contents/MacOS

build/cross.sh "$target" --programs

mkdir -p "$programs" "$app/Contents/Resources" "$scratch/icon.iconset" dist
cp "bin/$target/voicewright" "bin/$target/voicewright-desktop" "build/lib/$target/onnxruntime/libonnxruntime.dylib" "$programs/"
cp LICENSE "$app/Contents/Resources/"
build/package/licences.sh "$target" "$app/Contents/Resources"
rm "$app/Contents/Resources/copyright" # Debian's form of it
go run ./build/package plist wails.json "$(build/package/version.sh --numbers | cut -d. -f1-3)" "$app/Contents/Info.plist"
plutil -lint "$app/Contents/Info.plist" build/package/macos/entitlements.plist

go run ./build/package icons "$scratch/icons"
for size in 16 32 128 256 512; do
	cp "$scratch/icons/$size.png" "$scratch/icon.iconset/icon_${size}x$size.png"
	[ $size = 512 ] || [ ! -f "$scratch/icons/$((2 * size)).png" ] ||
		cp "$scratch/icons/$((2 * size)).png" "$scratch/icon.iconset/icon_${size}x$size@2x.png"
done
iconutil --convert icns --output "$app/Contents/Resources/icon.icns" "$scratch/icon.iconset"

# What lies inside is signed before what it lies in.
for signed in libonnxruntime.dylib voicewright voicewright-desktop; do
	codesign --force --options runtime --entitlements build/package/macos/entitlements.plist --sign "$identity" "$programs/$signed"
done
codesign --force --options runtime --entitlements build/package/macos/entitlements.plist --sign "$identity" "$app"
codesign --verify --deep --strict --verbose=2 "$app"
"$programs/voicewright" --version

ln -s /Applications "$scratch/disk/Applications"
cp build/package/macos/INSTALL.txt "$scratch/disk/Read me first.txt"
dmg=dist/voicewright-$(build/package/version.sh --package | tr '~' -)-macos-arm64.dmg
hdiutil create -volname Voicewright -srcfolder "$scratch/disk" -fs HFS+ -format UDZO -ov "$dmg"
hdiutil verify "$dmg"

#!/usr/bin/env bash
# Makes dist/voicewright-VERSION-linux-x64.tar.xz or -arm64, to unpack anywhere, from bin/TARGET and build/lib/TARGET, which `make cross`
# builds, and from build/lib/package, where build/package/package.sh puts manual pages and completions. The same tree and version give
# the same bytes.
#
#   build/package/tar.sh linux-amd64 | linux-arm64      from `make package`, which names cyclonedx-gomod in CYCLONEDX
set -euo pipefail
cd "$(dirname "$0")/../.."
umask 022
export LC_ALL=C.UTF-8 TZ=UTC

readonly target=$1
case $target in
linux-amd64) machine=x64 ;;
linux-arm64) machine=arm64 ;;
*)
	echo "tar: $target is no target with an archive; there are linux-amd64 and linux-arm64." >&2
	exit 2
	;;
esac
version=$(build/package/version.sh --package)
epoch=$(build/package/version.sh --epoch)
name=voicewright-${version//\~/-}-linux-$machine
readonly stage=build/lib/package
scratch=$(mktemp -d "$PWD/build/lib/.tar.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
root=$scratch/$name
mkdir -p "$root"/share/{man/man1,man/man8,bash-completion/completions,fish/vendor_completions.d,zsh/site-functions} "$root/systemd" dist

install -m 755 -t "$root" bin/"$target"/*
install -m 644 -t "$root" "build/lib/$target/onnxruntime/libonnxruntime.so.1" build/package/INSTALL.txt LICENSE
build/package/licences.sh "$target" "$scratch/licences"
install -m 644 -t "$root" "$scratch"/licences/{third-party.txt,voicewright.cdx.json}
install -m 644 -t "$root/systemd" build/service/voicewright-service*.{service,timer}
install -m 644 -t "$root/share/man/man1" "$stage/voicewright.1.gz"
install -m 644 -t "$root/share/man/man8" "$stage/voicewright-service.8.gz"
for program in voicewright voicewright-service; do
	install -m 644 "$stage/$program.bash" "$root/share/bash-completion/completions/$program"
	install -m 644 "$stage/$program.fish" "$root/share/fish/vendor_completions.d/$program.fish"
	install -m 644 "$stage/$program.zsh" "$root/share/zsh/site-functions/_$program"
done
if [ "$target" = linux-amd64 ]; then
	mkdir -p "$root"/share/{applications,metainfo,mime/packages,icons/hicolor/scalable/apps}
	install -m 644 -t "$root/share/applications" build/package/voicewright.desktop
	install -m 644 -t "$root/share/metainfo" "$stage/io.github.voicewright.voicewright.metainfo.xml"
	install -m 644 build/package/mime.xml "$root/share/mime/packages/voicewright.xml"
	install -m 644 frontend/public/icon.svg "$root/share/icons/hicolor/scalable/apps/voicewright.svg"
fi

# The programs have much in common, and lie within the 64 MB that xz -9 looks back: half of what gzip makes of it. One thread: the same
# files give the same bytes on every machine.
tar --create --directory "$scratch" --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" "$name" |
	xz -9 -T1 >"dist/$name.tar.xz"
echo "dist/$name.tar.xz"

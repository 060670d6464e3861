#!/usr/bin/env bash
# Makes the packages for Linux in dist/ from bin/linux-amd64 and build/lib/linux-amd64, which `make cross` builds. The same tree and
# version give the same bytes: every time in them is that of the last commit.
#
# They are checked: the manual pages by man, the entry and the metadata of the menu, and each .deb by lintian, which must say nothing.
# build/package/lintian has what it need not say, with reasons.
#
#   build/package/package.sh        from `make package`, which names nfpm in NFPM and cyclonedx-gomod in CYCLONEDX; FORMATS is deb rpm,
#                                   and DIST another folder than dist
set -euo pipefail
cd "$(dirname "$0")/../.."
umask 022
export LC_ALL=C.UTF-8 TZ=UTC

SOURCE_DATE_EPOCH=$(build/package/version.sh --epoch)
PACKAGE_VERSION=$(build/package/version.sh --package)
export SOURCE_DATE_EPOCH PACKAGE_VERSION

readonly dist=${DIST:-dist}
readonly stage=build/lib/package # where the descriptions of the packages expect what is made here
readonly programs=bin/linux-amd64 runtime=build/lib/linux-amd64/onnxruntime/libonnxruntime.so.1
readonly packages='voicewright voicewright-desktop voicewright-service'

# newest SYMBOL prints the newest version of a library that the programs need, such as 2.34 of GLIBC.
newest() { objdump -T "$programs"/* "$runtime" | grep -oE "\(?$1_[0-9.]+" | grep -oE '[0-9.]+$' | sort -Vu | tail -n 1; }

# manual PROGRAM SECTION writes the manual page. The program runs without the settings of this user, which its defaults would show.
manual() {
	env -i HOME=/home/user "$programs/$1" manual --date "$(date -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%d)" | gzip -9n >"$stage/$1.$2.gz"
}

completions() {
	local shell
	for shell in bash fish zsh; do
		env -i HOME=/home/user "$programs/$1" completion "$shell" >"$stage/$1.$shell"
	done
}

# units writes the systemd units as a package has them: the program in /usr/bin, and a user that stays, who owns the data.
units() {
	local unit
	mkdir "$stage/units"
	for unit in build/service/voicewright-service*.{service,timer}; do
		sed -e 's|/usr/local/bin/|/usr/bin/|' -e 's|/usr/local/lib/voicewright/libonnxruntime.so$|/usr/lib/voicewright/libonnxruntime.so.1|' \
			-e '/^User=/d' -e 's|^DynamicUser=yes$|User=voicewright-service|' "$unit" \
			>"$stage/units/${unit##*/}"
	done
}

# quietly COMMAND... runs a check without its results. It fails where the command says anything beside them.
quietly() {
	local said
	said=$("$@" 2>&1 >/dev/null) && [ -z "$said" ] || {
		printf 'package: %s\n%s\n' "$*" "$said" >&2
		return 1
	}
}

# check has the tools of a desktop look at the files that it reads.
check() {
	local page
	for page in "$stage"/*.[18].gz; do
		MANROFFSEQ='' MANWIDTH=80 quietly man --warnings --local-file --encoding=UTF-8 --troff-device=utf8 --ditroff "$page" || return 1
	done
	desktop-file-validate build/package/voicewright.desktop
	appstreamcli validate --no-net --pedantic "$stage/io.github.voicewright.voicewright.metainfo.xml" >"$stage/appstream.log" || {
		cat "$stage/appstream.log" >&2
		return 1
	}
}

# The changelog has the subjects of commits, which nobody can correct: lintian does not read their words.
readonly words_of_changelog=spelling-error-in-changelog,misspelled-closes-bug,wrong-bug-number-in-closes,improbable-bug-number-in-closes

# ask_lintian PACKAGE... fails where lintian has an error or a warning.
ask_lintian() {
	local said status=0
	said=$(lintian --fail-on error,warning --suppress-tags "$words_of_changelog" "$@" 2>&1) || status=$?
	said=$(grep -v '^running with root privileges' <<<"$said") || true
	[ "$status" = 0 ] && [ -z "$said" ] || {
		echo "lintian ended with $status: $said" >&2
		return 1
	}
}

# changelog PACKAGE writes Debian's form of it: the commits since the last tag, at most 50.
changelog() {
	local since
	since=$(git describe --tags --abbrev=0 HEAD^ 2>/dev/null) || since=
	{
		printf '%s (%s) unstable; urgency=medium\n\n' "$1" "$PACKAGE_VERSION"
		git log -50 --no-merges --format=%s ${since:+"$since.."}HEAD | while read -r line; do
			fold -s -w 74 <<<"$line" | sed -e '1s/^/  * /' -e '2,$s/^/    /' -e 's/ *$//'
		done
		printf '\n -- The Voicewright authors <voicewright@users.noreply.github.com>  %s\n' "$(date -R -d "@$SOURCE_DATE_EPOCH")"
	} | gzip -9n >"$stage/$1.changelog.gz"
}

for file in "$runtime" "$programs"/voicewright{,-desktop,-service}; do
	[ -f "$file" ] || {
		echo "package: $file is missing; run: make cross TARGET=linux-amd64" >&2
		exit 1
	}
done
rm -rf "$stage"
mkdir -p "$stage"
manual voicewright 1
manual voicewright-service 8
completions voicewright
completions voicewright-service
units
go run ./build/package icons "$stage/icons"
sed -e "s/@VERSION@/$PACKAGE_VERSION/" -e "s/@DATE@/$(date -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%d)/" build/package/metainfo.xml >"$stage/io.github.voicewright.voicewright.metainfo.xml"
build/package/licences.sh linux-amd64 "$stage"
gzip -9nk "$stage/third-party.txt" "$stage/voicewright.cdx.json"
check

GLIBC=$(newest GLIBC)
GLIBCXX=$(newest GLIBCXX)
export GLIBC GLIBCXX
mkdir -p "$dist"
rm -f "$dist"/*.deb "$dist"/*.rpm "$dist"/*.cdx.json
cp "$stage/voicewright.cdx.json" "$dist/voicewright-$PACKAGE_VERSION.cdx.json"
for package in $packages; do
	changelog "$package"
	for format in ${FORMATS:-deb rpm}; do
		"$NFPM" package --config "build/package/$package.yaml" --packager "$format" --target "$dist/" >"$stage/nfpm.log" || {
			cat "$stage/nfpm.log" >&2
			exit 1
		}
	done
	[[ ${FORMATS:-deb} != *deb* ]] || build/package/deb.sh "$dist/${package}_${PACKAGE_VERSION}_amd64.deb"
done
[[ ${FORMATS:-deb} != *deb* ]] || ask_lintian "$dist"/*.deb

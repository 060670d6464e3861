#!/usr/bin/env bash
# Checks what changed against a branch, committed or not, and what depends on it: format, lint, types and tests, without the race
# detector. What only depends on a change leaves out the tests named in long, which take half of the time of all: make test runs them.
#
#   build/check.sh BRANCH LINTER [GO FLAGS...]
set -euo pipefail
cd "$(dirname "$0")/.."

branch=$1 linter=$2
shift 2
flags=("$@")
base=$(git merge-base HEAD "$branch")
mapfile -t files < <({ git diff --name-only --diff-filter=d --no-renames "$base"; git ls-files --others --exclude-standard; } | sort -u)
mapfile -t removed < <(git diff --name-only --diff-filter=D --no-renames "$base")

# The longest tests: of the app, of the hosted service, of the local API, of audio, and of the engines.
readonly long='^Test(TranscriptionsOverHTTP|TranscribeLikeTheReference|Transcribe|TranscribeFolders|TranscribeOddNames)$|'\
'^Test(LoudnessOfEveryLanguage|InstalledTranscriberIsUsed|HistoryExportOfHours|RestoredModelsDirectory|EndedServerKeepsAudio)$|'\
'^Test(PresetEngines|FileNamesThatAreNoUTF8|HistoryVerify|HostedSpeechSurvives|InterruptSay|NetworkSettingsOfABackup)$|'\
'^Test(HostedAudioInTheHistory|UnusableBackup|NamedTranscriberIsDownloaded|UploadsThatCannotBeTranscribed|BatchOfManyRows)$|'\
'^Test(ServicePage|HostedPage|WrongOptions|ALostAnswerIsFoundAfterKills|WrongConfigurationFiles)$|'\
'^Test(AnswersToLargeWrongRequests|BlockedReader|UploadOf5GB|LargeDictionary)$|'\
'^Test(SoundIsAtItsTime|EncodeRoundTrip|ProgressOfExport|ExportLoudness|DecodeLimits|SmallFilesOfLongAudio)$|'\
'^Test(RunsLeaveNothingBehind|AcceptedDamageIsHarmless|Tones|FramesAsTheReference|LoadWithLittleMemory|ImportOfBadSamples)$'

say() { printf '== %3d s  %s\n' "$SECONDS" "$*"; }

# package_of FILE prints the folder of the package that a file belongs to, nothing for one that belongs to none.
package_of() {
	local dir=$1
	while [ "$dir" != . ]; do
		dir=$(dirname "$dir")
		case /$dir/ in */testdata/*) continue ;; esac
		if compgen -G "$dir/*.go" >/dev/null; then
			[ "$dir" = . ] && [[ $1 != *.go ]] || echo "./$dir"
			return
		fi
	done
}

# readers prints the packages whose tests read a file that belongs to no package.
readers() {
	case $1 in
	go.mod | go.sum) go list "${flags[@]}" -f '{{.Dir}}' ./... | sed "s,^$PWD,.," ;;
	docs/* | *.md) echo ./docs ./app ./app/voicewright-service | tr ' ' '\n' ;;
	frontend/dist/*) ;;
	esac
}

# tested PACKAGE... prints the packages whose tests consist of one of these.
tested() {
	go list "${flags[@]}" -f '{{.ImportPath}}' "$@" >"$scratch/changed"
	go list "${flags[@]}" -test -f '{{if .ForTest}}{{else}}{{.ImportPath}},{{join .Deps ","}}{{end}}' ./... |
		awk -F, 'NR == FNR { changed[$1]; next }
			$1 ~ /\.test$/ {
				for (i = 2; i <= NF; i++) {
					sub(/ .*/, "", $i)
					if ($i in changed) { sub(/\.test$/, "", $1); print $1; next }
				}
			}' "$scratch/changed" -
}

# run_tests ARGUMENT... runs go test. Without vet, which is part of lint.
run_tests() {
	go test "${flags[@]}" -vet=off -timeout 60m -p "$(($(getconf _NPROCESSORS_ONLN) + 1))" "$@"
}

check_go() {
	local packages=() changed=() dependent=() go_files=() file
	mapfile -t packages < <(for file in "${files[@]}" "${removed[@]}"; do package_of "$file"; readers "$file"; done | sort -u)
	[ ${#packages[@]} -eq 0 ] || # those of other build tags are left out
		mapfile -t packages < <(go list "${flags[@]}" -e -f '{{if not .Error}}{{.Dir}}{{end}}' "${packages[@]}" | sed "s,^$PWD,.,")
	[ ${#packages[@]} -gt 0 ] || return 0
	for file in "${files[@]}"; do [[ $file != *.go ]] || go_files+=("$file"); done
	say "format and lint: ${packages[*]}"
	[ ${#go_files[@]} -eq 0 ] || "$linter" fmt --diff "${go_files[@]}"
	"$linter" run --allow-parallel-runners "${packages[@]}"
	mapfile -t changed < <(go list "${flags[@]}" -f '{{.ImportPath}}' "${packages[@]}")
	mapfile -t dependent < <(tested "${packages[@]}" | grep -vxF "$(printf '%s\n' "${changed[@]}")")
	say "types: all packages"
	go build "${flags[@]}" ./...
	say "tests: ${changed[*]#github.com/voicewright/voicewright/}"
	run_tests "${changed[@]}"
	[ ${#dependent[@]} -gt 0 ] || return 0
	say "tests without the longest: ${dependent[*]#github.com/voicewright/voicewright/}"
	run_tests -skip "$long" "${dependent[@]}"
}

check_page() {
	local page=() sources=() file
	for file in "${files[@]}"; do
		case $file in
		frontend/dist/*) ;;
		frontend/*.ts | frontend/*.tsx | frontend/*.mjs) page+=("${file#frontend/}") sources+=("${file#frontend/}") ;;
		frontend/*.json | frontend/*.css | frontend/*.html | frontend/*.md) page+=("${file#frontend/}") ;;
		esac
	done
	[ ${#page[@]} -gt 0 ] || return 0
	say "page: format, lint, types, and tests of what depends on ${#page[@]} files"
	cd frontend
	npx prettier --log-level warn --check "${page[@]}"
	[ ${#sources[@]} -eq 0 ] || npx eslint --no-warn-ignored "${sources[@]}"
	node scripts/check-i18n.mjs
	npm run --silent typecheck
	npx vitest related --run --passWithNoTests "${page[@]}"
	cd ..
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[ $((${#files[@]} + ${#removed[@]})) -gt 0 ] || {
	echo "Nothing differs from $branch."
	exit 0
}
check_go
go run "${flags[@]}" ./build/words
check_page
say "all good"

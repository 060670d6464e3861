#!/usr/bin/env bash
# Runs the benchmarks and prints the results beside the goals: build/bench.sh REGEXP [go flags].
# The benchmarks of the packages come first, then measurements of the built program.
set -euo pipefail
cd "$(dirname "$0")/.."
chosen=$1
shift

# A goal is a limit: benchmark (regular expression), unit, maximum, or minimum after >. The graphs of Kokoro, KittenTTS,
# Supertonic and Pocket TTS in this tree are tiny, so the goal for the overhead of the engines is 3 % of the published time
# of the real ones.
readonly goals='
History/search/          p95-ms       30
History/page/            p95-ms       10
History/insert           p95-ms       5
^WhisperCLI               ratio        1.03
^WhisperCLI               cpu-ratio    1.03
^WhisperCancel            cancel-ms    200
Transcripts/search/      p95-ms       30
Transcripts/page/        p95-ms       10
Transcripts/insert       p95-ms       5
^Generate                p50-ms       5
^LongText                outside-%    2
^LongText                speed        >0.98
^piper/Overhead          ratio        1.03
^kokoro/Overhead         ms/over      100
^kitten/Overhead         us/s         1600
^supertonic/Overhead     extra-ms     2
^moss/Overhead           ratio        1.03
^chatterbox/Overhead/nano ratio       1.03
^chatterbox/Overhead     extra-allocs 1
^pocket/OverBareCalls/kit extra-us    400
^pocket/OverBareCalls/weighty cpu-ratio 1.03
^English                 words/s      >50000
^Score                   %exact       >98
^Normalize               MB/s         >1
^Speak-Command           ms/op        30
^Download/               ours/curl    1.05
^Memory                  MB           8
^Encode/                 MB/s         >1
^VAD/                    x-real-time  >200
^StreamMono/             x-real-time  >300
^Analyse/                x-real-time  >60
^Book$                    MB           120
^Book$                    x-real-time  >200
^BooksBuiltIn             ratio        1.2
^BooksBuiltIn             cpu-ratio    1.2
^BooksBuiltIn             edit-passages 1
^BooksBuiltIn             edit-extra-s 10
^Books                    generate-MB  120
^Books                    export-MB    120
^Books                    disk         1.3
^Books                    export-disk  1.3
^BooksLongest             open-ms      1000
^BookList                 p95-ms       1000
^Speakers/thorough         rtf          0.25
^Speakers/fast             rtf          0.08
^SpeakersClusters/86000    s            10
^SpeakersClusters/4000     MB           65
^SpeakersMemory            MB           300
^Resume                  first-byte-ms 1000
^Resume                  cancel-ms    200
^Status                  p95-ms       5
^Ledger                  cycles/s     >1000
^Forward/                us-added-p50 1000
^KeyCaller               us/check     50
^Lane                    us/call      1000
^OpenBreaker             us/answer    5000
^ServiceRequests         p95-ms       5
^ServiceMemory           heap-MB-more 1
^ServiceMemory           resident-MB-more 8
Program/ready            ms           50
Program/idle             MB           40
Program/size             MB           30
'

# table prints lines "name value unit" as rows with their goal.
table() {
	awk -v goals="$goals" '
		BEGIN {
			n = split(goals, line, "\n")
			for (i = 1; i <= n; i++) if (split(line[i], f, " ") == 3) { count++; name[count] = f[1]; unit[count] = f[2]; limit[count] = f[3] }
		}
		{
			goal = ""; verdict = ""
			for (i = 1; i <= count; i++) if ($1 ~ name[i] && $3 == unit[i]) {
				minimum = sub(/^>/, "", limit[i]) || at_least[i]
				at_least[i] = minimum
				goal = (minimum ? ">= " : "<= ") limit[i]
				verdict = (minimum ? $2 + 0 >= limit[i] + 0 : $2 + 0 <= limit[i] + 0) ? "met" : "MISSED"
			}
			printf "%-48s %12s %-12s %-10s %s\n", $1, $2, $3, goal, verdict
			fflush()
		}'
}

# benchmarks prints "name value unit" for each result of the packages. Errors are printed to standard error.
benchmarks() {
	go test "$@" -run '^$' -bench "$chosen" -timeout 30m ./... | awk '
		/^pkg:/ { name = $2; sub(/.*\//, "", name) }
		/^Benchmark/ && NF >= 4 {
			sub(/^Benchmark/, "", $1); sub(/-[0-9]+$/, "", $1)
			if ($1 ~ /^Overhead/) $1 = name "/" $1
			for (i = 3; i < NF; i += 2) {
				value = $i; unit = $(i + 1)
				if (unit == "ns/op" && (value == 0 || NF > 4 && $0 ~ /-ms|%/)) continue
				if (unit == "ns/op" && value >= 1e4) { value = sprintf("%.3f", value / 1e6); unit = "ms/op" }
				print $1, value, unit
				if ($1 == "Command") bare = value
				if ($1 == "Speak") print "Speak-Command", value - bare, unit
			}
			fflush()
		}
		/^(---|FAIL|panic)/ { print > "/dev/stderr" }'
}

# start runs serve until it prints its address, and sets $server and $elapsed (milliseconds).
start() {
	local started line
	started=$(date +%s%N)
	bin/voicewright --data "$scratch/library" serve --addr 127.0.0.1:0 >"$scratch/output" 2>"$scratch/log" &
	server=$!
	exec 3<"$scratch/output" # kept open: a program that writes into a closed pipe is killed
	read -r line <&3 || true
	elapsed=$((($(date +%s%N) - started) / 10000))
	elapsed=$((elapsed / 100)).$(printf %02d $((elapsed % 100)))
	case $line in
	"listening on "*) ;;
	*)
		cat "$scratch/log" >&2
		return 1
		;;
	esac
}

stop() {
	kill "$server"
	wait "$server" || true
	exec 3<&-
}

# program prints the same for the built program.
program() {
	[ "$chosen" = . ] && [ "$(uname -s)" = Linux ] || return 0
	awk -v bytes="$(wc -c <bin/voicewright)" 'BEGIN { printf "Program/size %.1f MB\n", bytes / 1e6 }'

	local server elapsed
	scratch=$(mktemp -d)
	trap 'rm -rf "$scratch"' EXIT
	mkfifo "$scratch/output"
	start
	echo "Program/first-start $elapsed ms"
	sleep 2 # until nothing of the start is running
	awk '/^VmRSS/ { printf "Program/idle %.1f MB\n", $2 * 1024 / 1e6 }' "/proc/$server/status"
	stop
	for _ in 1 2 3 4 5; do
		start
		echo "$elapsed"
		stop
	done | sort -n | awk 'NR == 3 { print "Program/ready", $1, "ms" }'
}

printf '%-48s %12s %-12s %-10s %s\n' benchmark result unit goal ''
benchmarks "$@" | table
program | table

#!/usr/bin/env bash
# Measures, and prints what it found beside the goals: build/bench.sh REGEXP [go flags].
# Benchmarks of the packages come first, then the finished program from outside.
set -euo pipefail
cd "$(dirname "$0")/.."
chosen=$1
shift

# A goal is a limit: benchmark (regular expression), unit, the most it may be, or with > the least. The graphs of Kokoro,
# KittenTTS and Supertonic in this tree are tiny, so what the engines add is held to 3 % of what the real ones take by
# their makers' figures.
readonly goals='
History/search/          p95-ms       30
History/page/            p95-ms       10
History/insert           p95-ms       5
^Generate                p50-ms       5
^LongText                outside-%    2
^LongText                speed        >0.98
^piper/Overhead          ratio        1.03
^kokoro/Overhead         ms/over      100
^kitten/Overhead         us/s         1600
^supertonic/Overhead     extra-ms     2
^English                 words/s      >50000
^Score                   %exact       >98
^Normalize               MB/s         >1
^Speak-Command           ms/op        30
^Download/               ours/curl    1.05
^Memory                  MB           8
^Resume                  first-byte-ms 1000
^Resume                  cancel-ms    200
^Status                  p95-ms       5
Program/ready            ms           50
Program/idle             MB           40
Program/size             MB           30
'

# table turns lines "name value unit" into rows with their goal.
table() {
	awk -v goals="$goals" '
		BEGIN {
			n = split(goals, line, "\n")
			for (i = 1; i <= n; i++) if (split(line[i], f, " ") == 3) { count++; name[count] = f[1]; unit[count] = f[2]; most[count] = f[3] }
		}
		{
			goal = ""; verdict = ""
			for (i = 1; i <= count; i++) if ($1 ~ name[i] && $3 == unit[i]) {
				least = sub(/^>/, "", most[i]) || at_least[i]
				at_least[i] = least
				goal = (least ? ">= " : "<= ") most[i]
				verdict = (least ? $2 + 0 >= most[i] + 0 : $2 + 0 <= most[i] + 0) ? "held" : "MISSED"
			}
			printf "%-48s %12s %-12s %-10s %s\n", $1, $2, $3, goal, verdict
			fflush()
		}'
}

# benchmarks prints "name value unit" for each figure of the packages; what is neither is an error and is shown.
benchmarks() {
	go test "$@" -run '^$' -bench "$chosen" -timeout 30m ./... | awk '
		/^pkg:/ { room = $2; sub(/.*\//, "", room) }
		/^Benchmark/ && NF >= 4 {
			sub(/^Benchmark/, "", $1); sub(/-[0-9]+$/, "", $1)
			if ($1 ~ /^Overhead/) $1 = room "/" $1
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

# start runs serve on a library until it says that it listens, and leaves $server and $took (milliseconds).
start() {
	local begun line
	begun=$(date +%s%N)
	bin/voicewright --data "$scratch/library" serve --addr 127.0.0.1:0 >"$scratch/said" 2>"$scratch/log" &
	server=$!
	exec 3<"$scratch/said" # held open: a program that writes into a closed pipe is ended
	read -r line <&3 || true
	took=$((($(date +%s%N) - begun) / 10000))
	took=$((took / 100)).$(printf %02d $((took % 100)))
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

# program prints the same for the program as a user gets it.
program() {
	[ "$chosen" = . ] && [ "$(uname -s)" = Linux ] || return 0
	awk -v bytes="$(wc -c <bin/voicewright)" 'BEGIN { printf "Program/size %.1f MB\n", bytes / 1e6 }'

	local server took
	scratch=$(mktemp -d)
	trap 'rm -rf "$scratch"' EXIT
	mkfifo "$scratch/said"
	start
	echo "Program/first-start $took ms"
	sleep 2 # idle means that nothing of the start is left to do
	awk '/^VmRSS/ { printf "Program/idle %.1f MB\n", $2 * 1024 / 1e6 }' "/proc/$server/status"
	stop
	for _ in 1 2 3 4 5; do
		start
		echo "$took"
		stop
	done | sort -n | awk 'NR == 3 { print "Program/ready", $1, "ms" }'
}

printf '%-48s %12s %-12s %-10s %s\n' what measured unit goal ''
benchmarks "$@" | table
program | table

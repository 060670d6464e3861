package text

import (
	"strconv"
	"strings"
	"time"
)

// maxPause is the longest pause that markup can ask for.
const maxPause = 60 * time.Second

const pauseWord = "pause"

// nextPause finds the first well-formed `[pause 0.5s]` in s: the bytes [start, end) of it and its length. The number is
// in seconds, also without a unit, or in milliseconds with ms; 0 to 60 s; case and white space around the parts do not
// matter. ok is false when there is none.
func nextPause(s string) (start, end int, pause time.Duration, ok bool) {
	for at := 0; ; {
		i := strings.IndexByte(s[at:], '[')
		if i < 0 {
			return 0, 0, 0, false
		}
		start = at + i
		if size, pause, ok := readPause(s[start:]); ok {
			return start, start + size, pause, true
		}
		at = start + 1
	}
}

// longestPause bounds the search for the closing bracket.
const longestPause = 64

// readPause reads a pause at the beginning of s and gives its size in bytes.
func readPause(s string) (size int, pause time.Duration, ok bool) {
	closing := strings.IndexByte(s[:min(len(s), longestPause)], ']')
	if closing < 0 {
		return 0, 0, false
	}
	fields := strings.Fields(strings.ToLower(s[1:closing]))
	if len(fields) < 2 || len(fields) > 3 || fields[0] != pauseWord {
		return 0, 0, false
	}
	number, unit := strings.Join(fields[1:], ""), time.Second
	if cut, found := strings.CutSuffix(number, "ms"); found {
		number, unit = cut, time.Millisecond
	} else {
		number = strings.TrimSuffix(number, "s")
	}
	if strings.Trim(number, "0123456789.") != "" || len(fields) == 3 && number != fields[1] {
		return 0, 0, false
	}
	value, err := strconv.ParseFloat(number, 64)
	if err != nil || value < 0 || value > float64(maxPause/unit) {
		return 0, 0, false
	}
	return closing + 1, time.Duration(value * float64(unit)), true
}

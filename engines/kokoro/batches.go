package kokoro

import (
	"strings"
	"unicode/utf8"
)

// maxPhonemes is the number of phonemes that one run of the graph takes besides the two pads.
const maxPhonemes = 510

// The marks after which a text may be cut, and after which the reference makes a pause.
const (
	sentenceMarks = ".!?…"
	clauseMarks   = ",;:"
)

// The pauses between batches and, for graphs that need it, inside them, in seconds.
const (
	sentencePause = 0.25
	clausePause   = 0.1
)

// pauseAfter returns the seconds of silence that belong after a mark; 0 for any other symbol.
func pauseAfter(symbol rune) float64 {
	switch {
	case strings.ContainsRune(sentenceMarks, symbol):
		return sentencePause
	case strings.ContainsRune(clauseMarks, symbol):
		return clausePause
	}
	return 0
}

// split cuts phonemes into batches of at most maxPhonemes code points, at sentences, else clauses, else spaces, else
// anywhere, and of nearly equal length: a short batch is spoken at another pace than its neighbours (kokoro-onnx 0.6.1,
// chunker.py). White space comes out as single spaces.
func split(phonemes string) []string {
	pieces := atoms(strings.Join(strings.Fields(phonemes), " "), 0)
	if len(pieces) == 0 {
		return nil
	}
	lengths := make([]int, len(pieces))
	low, high := 0, maxPhonemes
	for i, p := range pieces {
		lengths[i] = utf8.RuneCountInString(p)
		low = max(low, lengths[i])
	}
	for fewest := len(pack(lengths, maxPhonemes)); low < high; {
		middle := (low + high) / 2
		if len(pack(lengths, middle)) <= fewest {
			high = middle
		} else {
			low = middle + 1
		}
	}
	var out []string
	start := 0
	for _, end := range pack(lengths, low) {
		out = append(out, strings.Join(pieces[start:end], " "))
		start = end
	}
	return out
}

// atoms cuts s into pieces that fit into a batch, at the least harmful borders that make them fit. level 0 cuts at
// sentences, 1 at clauses, 2 at spaces.
func atoms(s string, level int) []string {
	if utf8.RuneCountInString(s) <= maxPhonemes {
		if s == "" {
			return nil
		}
		return []string{s}
	}
	for ; level <= 2; level++ {
		parts := cut(s, level)
		if len(parts) < 2 {
			continue
		}
		var out []string
		for _, p := range parts {
			out = append(out, atoms(p, level+1)...)
		}
		return out
	}
	var out []string
	for runes := []rune(s); len(runes) > 0; {
		n := min(maxPhonemes, len(runes))
		out, runes = append(out, string(runes[:n])), runes[n:]
	}
	return out
}

// cut splits s, which has single spaces, at the spaces after the marks of a level; at every space on level 2.
func cut(s string, level int) []string {
	if level == 2 {
		return strings.Fields(s)
	}
	marks := [...]string{sentenceMarks, clauseMarks}[level]
	var out []string
	start, before := 0, ' '
	for i, r := range s {
		if r == ' ' && strings.ContainsRune(marks, before) {
			out = append(out, s[start:i])
			start = i + 1
		}
		before = r
	}
	return append(out, s[start:])
}

// pack fills batches of at most limit code points with neighbouring pieces, one space between them, and returns the end
// index of each. A piece longer than limit is a batch of its own.
func pack(lengths []int, limit int) []int {
	var ends []int
	size := 0
	for i, n := range lengths {
		if i > 0 && size+1+n > limit {
			ends = append(ends, i)
			size = n
			continue
		}
		if i > 0 {
			size++
		}
		size += n
	}
	return append(ends, len(lengths))
}

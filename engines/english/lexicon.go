package english

import (
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// packed holds the dictionaries of misaki, one file for each accent, as internal/pack writes them.
//
//go:embed data/us.gz data/gb.gz
var packed embed.FS

// unpackedSize is more than the larger dictionary takes.
const unpackedSize = 5 << 20

// lexicon is the dictionary of one accent.
type lexicon struct {
	british bool
	lines   string // word, tab, value and newline, in byte order of the words
	rules   [26][]rule
}

// openLexicon unpacks the dictionary of an accent.
func openLexicon(british bool) (*lexicon, error) {
	name := "data/us.gz"
	if british {
		name = "data/gb.gz"
	}
	f, err := packed.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open dictionary: %w", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("open dictionary: %w", err)
	}
	var lines strings.Builder
	lines.Grow(unpackedSize)
	if _, err := io.Copy(&lines, z); err != nil {
		return nil, fmt.Errorf("unpack dictionary: %w", err)
	}
	return &lexicon{british: british, lines: lines.String(), rules: parseRules()}, nil
}

// find gives the line of exactly this word. Gold entries were checked by people, silver ones are less certain.
func (l *lexicon) find(word string) (value string, gold, ok bool) {
	low, high := 0, len(l.lines)
	for low < high {
		middle := (low + high) / 2
		start := low + strings.LastIndexByte(l.lines[low:middle], '\n') + 1
		stop := start + strings.IndexByte(l.lines[start:], '\n')
		key, v, _ := strings.Cut(l.lines[start:stop], "\t")
		switch strings.Compare(key, word) {
		case -1:
			low = stop + 1
		case 1:
			high = start
		default:
			silver, less := strings.CutPrefix(v, "~")
			return silver, !less, true
		}
	}
	return "", false, false
}

// entry gives the value of a word, written as in the dictionary or with its first letter the other way. Gold goes before
// silver, then what is exact before what is not.
func (l *lexicon) entry(word string) (value string, gold, ok bool) {
	value, gold, ok = l.find(word)
	if gold {
		return value, gold, ok
	}
	other := otherCase(word)
	if other == "" {
		return value, gold, ok
	}
	if v, g, found := l.find(other); found && (g || !ok) {
		return v, g, true
	}
	return value, gold, ok
}

// gold gives the value of a word that has a gold entry.
func (l *lexicon) gold(word string) (string, bool) {
	value, gold, _ := l.entry(word)
	return value, gold
}

// otherCase turns word into Word and Word into word; anything else has no other form.
func otherCase(word string) string {
	first, size := utf8.DecodeRuneInString(word)
	if size == len(word) {
		return ""
	}
	rest := word[size:]
	if rest != strings.ToLower(rest) {
		return ""
	}
	if lower := unicode.ToLower(first); lower != first {
		return string(lower) + rest
	}
	if upper := unicode.ToTitle(first); upper != first {
		return string(upper) + rest
	}
	return ""
}

// known reports whether a word has an entry, or is one that can be spelled: a letter, or capitals behind the first letter.
func (l *lexicon) known(word string) bool {
	if word == "" {
		return false
	}
	if _, _, ok := l.entry(word); ok || symbol(word) != "" {
		return true
	}
	for i := range len(word) {
		if !asciiLetter(word[i]) {
			return false
		}
	}
	return word[1:] == strings.ToUpper(word[1:])
}

// reading gives the phonemes that an entry has for a tag; none when the word is to be spelled out.
func reading(value, tag string, after following) (string, bool) {
	if !strings.Contains(value, "=") {
		return value, value != ""
	}
	var fallback, exact, parent, last string
	var isExact, isParent, isLast bool
	group := wordClass(tag)
	for part := range strings.SplitSeq(value, " ") {
		name, sound, _ := strings.Cut(part, "=")
		switch {
		case name == "None" && after.onset == pause:
			last, isLast = sound, true
		case name == tag:
			exact, isExact = sound, true
		case name == group:
			parent, isParent = sound, true
		case name == "DEFAULT":
			fallback = sound
		}
	}
	switch {
	case isLast:
		return last, last != ""
	case isExact:
		return exact, exact != ""
	case isParent:
		return parent, parent != ""
	}
	return fallback, fallback != ""
}

// wordClass gives the name under which the dictionary files the readings of a Penn tag.
func wordClass(tag string) string {
	switch {
	case strings.HasPrefix(tag, "VB"):
		return "VERB"
	case strings.HasPrefix(tag, "NN"):
		return "NOUN"
	case strings.HasPrefix(tag, "RB"), strings.HasPrefix(tag, "ADV"):
		return "ADV"
	case strings.HasPrefix(tag, "JJ"), strings.HasPrefix(tag, "ADJ"):
		return "ADJ"
	}
	return tag
}

func asciiLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

package text

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/text/internal/markup"
	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// Dictionary finds the words of a pronunciation dictionary in a text. It is a trie over characters without case, so that a
// text costs at most its length times the longest entry, however many entries there are. It is safe for concurrent use.
type Dictionary struct {
	entries []backend.Pronunciation
	next    map[edge]int32
	ends    map[int32][]int32 // by node: the entries that end there, the better ones first
}

// edge leads from a node of the trie over a character to another.
type edge struct {
	from int32
	char rune
}

// NewDictionary compiles the entries for a voice's language: those without a language, and those whose tag is a prefix of
// the voice's tag (en and en-GB for en-GB, not en-US). Of equal words the one with the longer tag goes before others, then
// one in capitals, then an earlier one. Entries that would look like markup are none.
func NewDictionary(words []backend.Pronunciation, language string) *Dictionary {
	var entries []backend.Pronunciation
	for _, w := range words {
		if backend.MatchesLanguage(language, w.Language) {
			entries = append(entries, w)
		}
	}
	return compile(entries)
}

// compile makes a dictionary of all entries, whatever their language.
func compile(words []backend.Pronunciation) *Dictionary {
	words = slices.Clone(words)
	slices.SortStableFunc(words, func(a, b backend.Pronunciation) int {
		return cmp.Or(cmp.Compare(subtags(b.Language), subtags(a.Language)), rank(a.Word)-rank(b.Word))
	})
	d := &Dictionary{next: make(map[edge]int32, 8*len(words)), ends: make(map[int32][]int32, len(words))}
	for _, w := range words {
		d.add(w)
	}
	return d
}

// rank is 0 for a word in capitals, 1 for others.
func rank(word string) int {
	if prose.AllCapitals(word) {
		return 0
	}
	return 1
}

// subtags counts the parts of a tag.
func subtags(tag string) int {
	if tag == "" {
		return 0
	}
	return 1 + strings.Count(backend.LanguageKey(tag), "-")
}

// add puts an entry into the trie, behind those that are there.
func (d *Dictionary) add(w backend.Pronunciation) {
	w.Word = strings.Join(strings.Fields(w.Word), " ")
	w.Respelling = strings.ToValidUTF8(strings.TrimSpace(w.Respelling), string(utf8.RuneError))
	if w.Word == "" || w.Respelling == "" || strings.ContainsAny(w.Word, "[]<|") {
		return
	}
	node := int32(0)
	for _, r := range w.Word {
		e := edge{node, folded(r)}
		next := d.next[e]
		if next == 0 {
			next = int32(len(d.next) + 1)
			d.next[e] = next
		}
		node = next
	}
	d.ends[node] = append(d.ends[node], int32(len(d.entries)))
	d.entries = append(d.entries, w)
}

// folded gives a character without case; the two apostrophes are one, and so is white space.
func folded(r rune) rune {
	switch {
	case r < utf8.RuneSelf && (r < 'A' || r > 'Z') && r > ' ':
		return r
	case r == '’':
		return '\''
	case unicode.IsSpace(r):
		return ' '
	}
	return unicode.ToLower(r)
}

// replaceWords calls found for each word of two dictionaries in s, the longest where several begin, of equal ones that of
// own, and writes what lies between to out. Markup is left alone.
func replaceWords(own, shared *Dictionary, s string, out *strings.Builder, found func(word string, entry backend.Pronunciation)) {
	before, from := ' ', 0
	for at := 0; at < len(s); {
		if m, ok := markup.Read(s[at:]); ok {
			at, before = at+m.Size, ' '
			continue
		}
		r, size := utf8.DecodeRuneInString(s[at:])
		if !unicode.IsSpace(r) && border(before, r) {
			d := own
			entry, length := own.match(s[at:])
			if e, l := shared.match(s[at:]); l > length {
				d, entry, length = shared, e, l
			}
			if length > 0 {
				out.WriteString(s[from:at])
				found(s[at:at+length], d.entries[entry])
				at += length
				from, before = at, ' '
				continue
			}
		}
		before = r
		at += size
	}
	out.WriteString(s[from:])
}

// match gives the longest entry that s begins with and its length in bytes, 0 for none.
func (d *Dictionary) match(s string) (entry, length int) {
	if len(d.entries) == 0 {
		return 0, 0
	}
	node, before := int32(0), ' '
	s = s[:min(len(s), markup.Longest/2)]
	for at := 0; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		c := folded(r)
		at += size
		if c == ' ' && before == ' ' {
			continue
		}
		if node = d.next[edge{node, c}]; node == 0 {
			break
		}
		before = c
		ends := d.ends[node]
		if len(ends) == 0 || !border(r, prose.FirstOrSpace(s[at:])) {
			continue
		}
		for _, e := range ends {
			if !prose.AllCapitals(d.entries[e].Word) || prose.AllCapitals(s[:at]) {
				entry, length = int(e), at
				break
			}
		}
	}
	return entry, length
}

// border reports whether a word may end or begin between two characters: not within letters, digits and underscores,
// but between any two where one is of a script without white space.
func border(a, b rune) bool {
	if unicode.IsMark(b) || b == '\u200d' {
		return false
	}
	return !prose.IsWordRune(a) || !prose.IsWordRune(b) || prose.IsSpaceless(a) || prose.IsSpaceless(b)
}

// Key gives what two words of a dictionary share that are found at the same places: the word without case and needless
// white space, with one form of the apostrophe.
func Key(word string) string { return strings.Map(folded, strings.Join(strings.Fields(word), " ")) }

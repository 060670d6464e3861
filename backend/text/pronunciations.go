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

// Pronunciations finds the words of the user's pronunciations in a text. It is a trie over characters without case, so that
// a search takes at most the length of the text times the longest word, however many entries there are. It is safe for
// concurrent use.
type Pronunciations struct {
	entries []backend.Pronunciation
	next    map[edge]int32
	ends    map[int32][]int32 // by node: the entries that end there, the preferred ones first
}

// edge leads from a node of the trie over a character to another node.
type edge struct {
	from int32
	char rune
}

// NewPronunciations returns the entries for a voice's language: those without a language, and those whose tag is a prefix of
// the voice's tag (en and en-GB for en-GB, not en-US). Among equal words the one with the longer tag wins, then one in
// capitals, then the earlier one. Entries that would look like markup are skipped.
func NewPronunciations(entries []backend.Pronunciation, language string) *Pronunciations {
	var matching []backend.Pronunciation
	for _, e := range entries {
		if backend.MatchesLanguage(language, e.Language) {
			matching = append(matching, e)
		}
	}
	return allPronunciations(matching)
}

// allPronunciations returns all entries, whatever their language.
func allPronunciations(entries []backend.Pronunciation) *Pronunciations {
	entries = slices.Clone(entries)
	slices.SortStableFunc(entries, func(a, b backend.Pronunciation) int {
		return cmp.Or(cmp.Compare(subtags(b.Language), subtags(a.Language)), caseOrder(a.Word)-caseOrder(b.Word))
	})
	p := &Pronunciations{next: make(map[edge]int32, 8*len(entries)), ends: make(map[int32][]int32, len(entries))}
	for _, e := range entries {
		p.add(e)
	}
	return p
}

// In returns the entries that are applied in a text, each once in the order of their words, where own ones win over equal words.
func (p *Pronunciations) In(s string, own []backend.Pronunciation) (found []backend.Pronunciation) {
	if len(p.entries) == 0 {
		return nil
	}
	var out strings.Builder
	seen, mine := map[string]bool{}, allPronunciations(own)
	replaceWords(mine, p, s, &out, func(_ string, e backend.Pronunciation) {
		if !slices.Contains(mine.entries, e) && !seen[e.ID] {
			seen[e.ID] = true
			found = append(found, e)
		}
	})
	slices.SortFunc(found, func(a, b backend.Pronunciation) int {
		return cmp.Or(cmp.Compare(a.Word, b.Word), cmp.Compare(a.ID, b.ID))
	})
	return found
}

// caseOrder returns 0 for a word in capitals, 1 for others.
func caseOrder(word string) int {
	if prose.AllCapitals(word) {
		return 0
	}
	return 1
}

// subtags returns the number of parts of a tag.
func subtags(tag string) int {
	if tag == "" {
		return 0
	}
	return 1 + strings.Count(backend.LanguageKey(tag), "-")
}

// add inserts an entry into the trie, after the entries of the same word.
func (p *Pronunciations) add(e backend.Pronunciation) {
	e.Word = strings.Join(strings.Fields(letters(e.Word)), " ")
	e.Respelling = strings.ToValidUTF8(strings.TrimSpace(e.Respelling), string(utf8.RuneError))
	if e.Word == "" || e.Respelling == "" || strings.ContainsAny(e.Word, "[]<|") {
		return
	}
	node := int32(0)
	for _, r := range e.Word {
		step := edge{node, fold(r)}
		next := p.next[step]
		if next == 0 {
			next = int32(len(p.next) + 1)
			p.next[step] = next
		}
		node = next
	}
	p.ends[node] = append(p.ends[node], int32(len(p.entries)))
	p.entries = append(p.entries, e)
}

// fold returns a character without case. The two apostrophes are equal, and so is all white space.
func fold(r rune) rune {
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

// replaceWords writes s to out and calls found for each word that has a pronunciation, which writes what replaces it. It
// takes the longest word of several at one place, and of equal ones that of own. Markup stays as it is.
func replaceWords(own, shared *Pronunciations, s string, out *strings.Builder, found func(word string, entry backend.Pronunciation)) {
	before, from := ' ', 0
	for at := 0; at < len(s); {
		if m, ok := markup.Read(s[at:]); ok {
			at, before = at+m.Size, ' '
			continue
		}
		r, size := utf8.DecodeRuneInString(s[at:])
		if !unicode.IsSpace(r) && isWordBoundary(before, r) {
			p := own
			entry, length := own.match(s[at:])
			if e, l := shared.match(s[at:]); l > length {
				p, entry, length = shared, e, l
			}
			if length > 0 {
				out.WriteString(s[from:at])
				found(s[at:at+length], p.entries[entry])
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

// match returns the longest entry that s begins with and its length in bytes, 0 if there is none.
func (p *Pronunciations) match(s string) (entry, length int) {
	if len(p.entries) == 0 {
		return 0, 0
	}
	node, before := int32(0), ' '
	s = s[:min(len(s), markup.Longest/2)]
	for at := 0; at < len(s); {
		r, size := utf8.DecodeRuneInString(s[at:])
		c := fold(r)
		at += size
		if c == ' ' && before == ' ' {
			continue
		}
		if node = p.next[edge{node, c}]; node == 0 {
			break
		}
		before = c
		ends := p.ends[node]
		if len(ends) == 0 || !isWordBoundary(r, prose.FirstOrSpace(s[at:])) {
			continue
		}
		for _, e := range ends {
			if !prose.AllCapitals(p.entries[e].Word) || prose.AllCapitals(s[:at]) {
				entry, length = int(e), at
				break
			}
		}
	}
	return entry, length
}

// isWordBoundary reports whether a word may end or begin between two characters: not within letters, digits and
// underscores, but beside a character of a script without white space.
func isWordBoundary(a, b rune) bool {
	if unicode.IsMark(b) || b == '\u200d' {
		return false
	}
	return !joins(a, b)
}

// PronunciationKey returns what two words have in common that are found at the same places: the word without case and
// superfluous white space, with one form of the apostrophe.
func PronunciationKey(word string) string {
	return strings.Map(fold, strings.Join(strings.Fields(word), " "))
}

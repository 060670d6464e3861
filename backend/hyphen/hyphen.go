// Package hyphen joins the words that a hyphen at the end of a line divides, as in "con-\nsider", and leaves the hyphens that
// belong to a word, as in "one-\nsided".
package hyphen

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What stands between the parts of a divided word: a hyphen that a reader sees, or a mark that is not to be seen: the soft
// hyphen, and U+FFFE and U+0002, which PDF viewers copy in place of a hyphen at a line end.
const (
	seen   = `\-\x{2010}`
	unseen = `\x{AD}\x{FFFE}\x02`
	blanks = `[ \t\x{A0}]*`
)

// lineEnd matches a hyphen at the end of a line, with the line end and the blanks around it.
var lineEnd = regexp.MustCompile(`[` + seen + `]` + blanks + `(?:\r\n|[\n\r\x{85}\x{2028}])` + blanks)

// withoutUnseen leaves out the marks that are not to be seen.
var withoutUnseen = strings.NewReplacer("\u00ad", "", "\ufffe", "", "\x02", "")

// unseenEnd matches marks that are not to be seen, with the line end after them, before a letter.
var unseenEnd = regexp.MustCompile(`[` + unseen + `]+` + blanks + `(?:\r\n|[\n\r\x{85}\x{2028}])` + blanks + `(\p{L})`)

// WithoutUnseen returns a text without the marks of a divided word that are not to be seen: soft hyphens, and what PDF viewers
// copy in place of a hyphen. A line end after such a mark is left out with it.
func WithoutUnseen(s string) string {
	if !strings.ContainsAny(s, "\u00ad\ufffe\x02") {
		return s
	}
	return withoutUnseen.Replace(unseenEnd.ReplaceAllString(s, "$1"))
}

// Join returns a text with its divided words joined. A hyphen at a line end before a small letter, or between capitals, is
// left out unless it belongs to the word: because the text has that word with its hyphen elsewhere, because it has further
// hyphens, or, in English, because both parts are words and the whole is none. A hyphen that stands for the rest of a word
// ("Nord-\nund Süd") stays as it is. Soft hyphens and U+FFFE are left out everywhere. language is BCP 47; where it is empty,
// the text decides.
func Join(s, language string) string {
	s = WithoutUnseen(s)
	ends := lineEnd.FindAllStringIndex(s, -1)
	if ends == nil {
		return s
	}
	j := joiner{text: s, language: base(language)}
	var out strings.Builder
	out.Grow(len(s))
	from := 0
	for _, m := range ends {
		after := s[m[1]:]
		between := ""
		switch next := first(after); {
		case next == '-' && unicode.IsLetter(first(after[1:])):
			// Portuguese, Polish and others repeat a hyphen of the word on the next line.
		case !unicode.IsLetter(next):
			continue
		default:
			between = j.between(s[:m[0]], after, s[m[0]:m[1]])
		}
		out.WriteString(s[from:m[0]])
		out.WriteString(between)
		from = m[1]
	}
	out.WriteString(s[from:])
	return out.String()
}

// base returns the language of a tag.
func base(tag string) string {
	language, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(tag), "_", "-"), "-")
	return language
}

// joiner decides about the line ends of a text. What it needs of the whole text is computed once it is needed.
type joiner struct {
	text     string
	language string
	counted  bool
	words    map[string]bool // of the text in lower case, with their hyphens
}

// between returns what stands between the parts of a word in place of a hyphen and its line end: nothing, a hyphen, or what
// was there.
func (j *joiner) between(before, after, source string) string {
	head, tail := lastWord(before), firstWord(after)
	last, _ := utf8.DecodeLastRuneInString(head)
	switch {
	case !unicode.IsDigit(last) && !unicode.IsLetter(last) && !unicode.IsMark(last):
		return source // a dash
	case undivided(head, tail) && j.hangs(strings.ToLower(tail)):
		return source // EU-\nund NATO-Staaten
	case unicode.IsDigit(last):
		return "-"
	case unicode.IsLower(first(tail)) && !unicode.IsUpper(last), capitals(head) && capitals(tail):
		return j.divided(strings.ToLower(head), strings.ToLower(tail), source)
	}
	lower, next := strings.ToLower(head), strings.ToLower(tail)
	switch {
	case j.has(lower+next) && !j.has(lower+"-"+next):
		return "" // Mc-\nCarthy
	case unicode.IsLower(first(head)) && !beforeNames.MatchString(lower) && !j.has(lower+"-"+next), head == "I":
		return source // somebody breaks off
	}
	return "-"
}

// undivided reports whether the hyphen after the first part is one that is written, because no word is divided there: after a
// digit, after a capital before small letters, and after a single letter.
func undivided(head, tail string) bool {
	last, size := utf8.DecodeLastRuneInString(head)
	return unicode.IsDigit(last) || unicode.IsUpper(last) && !capitals(tail) || size == len(head)
}

// hangs reports whether a hyphen before a word in lower case stands for the rest of a word.
func (j *joiner) hangs(next string) bool {
	j.count()
	return slices.Contains(conjunctions[j.language], next) || slices.Contains(shortConjunctions[j.language], next)
}

// beforeNames matches the prefixes that have a hyphen before a name, at the end of what is before the line end.
var beforeNames = regexp.MustCompile(`(?:^|-)(?:mid|non|pre|post|anti|pro|un|trans|inter|ex|neo|pan|sub|semi|all|cross|half|north|` +
	`south|east|west|pseudo|ultra)$|-`)

// divided is between for two parts in lower case whose hyphen may be that of the line end only.
func (j *joiner) divided(head, tail, source string) string {
	part := head[strings.LastIndexByte(head, '-')+1:]
	end, more, _ := strings.Cut(tail, "-")
	whole, compound := j.has(part+end), j.has(part+"-"+end) || j.has(head+"-"+tail)
	switch {
	case compound && !whole, utf8.RuneCountInString(part) < 2: // no word is divided after its first letter
		return "-"
	case whole && !compound, j.language == "en" && known(part+end) && !written(part, end):
		return ""
	case more == "" && slices.Contains(conjunctions[j.language], end):
		return source
	case j.belongs(part, end, part != head, more != ""):
		return "-"
	}
	return ""
}

// written reports whether a word is in the list with its hyphen, of two long words: simple-minded, but not re-sign.
func written(part, end string) bool {
	return len(part) > 3 && len(end) > 3 && listed(part+"-"+end) && known(part) && known(end)
}

// belongs reports whether the hyphen between two parts is one of the word. inner: there is a hyphen before the first part;
// more: after the second.
func (j *joiner) belongs(part, end string, inner, more bool) bool {
	switch {
	case j.language == "en" && (inner || more):
		return known(part) || known(end)
	case j.language == "en":
		return listed(part+"-"+end) || known(part) && known(end)
	case j.language == "de":
		return false // a noun in a compound has a capital
	}
	return inner && len(part) < 4 || more && len(end) < 4 || j.language == "fr" && frenchHyphen.MatchString(part+"-"+end)
}

// conjunctions are the words before which a hyphen stands for the rest of a word, as in "Nord- und Süd", by language.
var conjunctions = map[string][]string{
	"en": {"and", "or", "to"}, "de": {"und", "oder", "sowie", "bzw", "beziehungsweise", "bis"}, "nl": {"en", "of"},
	"sv": {"och", "eller"}, "da": {"og", "eller"}, "nb": {"og", "eller"}, "no": {"og", "eller"},
}

// shortConjunctions are conjunctions that are also the ends of divided words, as in the French "jou-et": the hyphen before them
// stands for the rest of a word only where no word is divided.
var shortConjunctions = map[string][]string{
	"en": {"nor", "through", "versus", "vs"}, "de": {"noch", "wie"},
	"nl": {"tot"}, "sv": {"till"}, "da": {"til"}, "nb": {"til"}, "no": {"til"},
	"fr": {"et", "ou", "à"}, "es": {"y", "e", "o", "u", "a"}, "it": {"e", "ed", "o", "a"}, "pt": {"e", "ou", "a"},
}

// frenchHyphen matches the hyphens of French between a verb and a pronoun, and in other words that are common.
var frenchHyphen = regexp.MustCompile(`^(?:peut|demi|vingt|soixante|quatre|après|avant|grand|week)-|[td]-(?:ils?|elles?|on|ce)$|ez-vous$|` +
	`ns-nous$|s-(?:tu|je)$|-(?:moi|toi|lui|mêmes?|être|delà|dessus|dessous)$|^ce(?:lui|lles?|ux)-ci$|(?:e|ui|ux|s|t)-là$`)

// has reports whether a word in lower case is elsewhere in the text.
func (j *joiner) has(word string) bool {
	j.count()
	return j.words[word]
}

// count finds out the words of the text, and its language where it is not known.
func (j *joiner) count() {
	if j.counted {
		return
	}
	j.counted, j.words = true, map[string]bool{}
	spread := map[string]int{}
	for w := range strings.FieldsFuncSeq(j.text, func(r rune) bool { return !inWord(r) }) {
		w = strings.Trim(plain(strings.ToLower(w)), "-'’")
		j.words[w] = true
		spread[frequent[w]]++
	}
	if j.language == "" {
		j.language = mostFrequent(spread)
	}
}

// frequent are words by which a language is found out, of the languages that have a rule of their own and some others.
var frequent = map[string]string{
	"the": "en", "of": "en", "and": "en", "that": "en", "is": "en", "with": "en", "it": "en", "was": "en",
	"le": "fr", "les": "fr", "des": "fr", "est": "fr", "une": "fr", "dans": "fr", "qui": "fr", "et": "fr",
	"não": "pt", "uma": "pt", "os": "pt", "com": "pt", "do": "pt", "em": "pt",
	"der": "de", "die": "de", "und": "de", "das": "de", "nicht": "de", "ist": "de", "den": "de", "ein": "de",
	"el": "es", "los": "es", "las": "es", "y": "es", "una": "es", "del": "es",
	"il": "it", "di": "it", "che": "it", "della": "it", "è": "it", "per": "it",
	"het": "nl", "een": "nl", "van": "nl", "niet": "nl",
}

// mostFrequent returns the language with the most words, English where no word is found.
func mostFrequent(spread map[string]int) string {
	language, count := "en", spread["en"]
	for l, n := range spread {
		if l != "" && (n > count || n == count && l < language && n > 0 && language != "en") {
			language, count = l, n
		}
	}
	return language
}

// lastWord returns the word at the end of a text, with its hyphens and apostrophes.
func lastWord(s string) string {
	at := len(s)
	for at > 0 {
		r, size := utf8.DecodeLastRuneInString(s[:at])
		if !inWord(r) {
			break
		}
		at -= size
	}
	return plain(s[at:])
}

// firstWord returns the word at the start of a text, with its hyphens and apostrophes.
func firstWord(s string) string {
	at := strings.IndexFunc(s, func(r rune) bool { return !inWord(r) })
	if at < 0 {
		at = len(s)
	}
	return strings.TrimRight(plain(s[:at]), "-'’")
}

// plain returns a word with one kind of hyphen.
func plain(word string) string {
	return strings.ReplaceAll(word, "\u2010", "-")
}

// inWord reports whether a character is within words.
func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == '-' || r == '\u2010' || r == '\'' || r == '’'
}

// capitals reports whether a part of a word has at least two letters, all of them capitals.
func capitals(part string) bool {
	return utf8.RuneCountInString(part) > 1 && strings.ToUpper(part) == part && strings.ToLower(part) != part
}

// first returns the first character of a word.
func first(word string) rune {
	r, _ := utf8.DecodeRuneInString(word)
	return r
}

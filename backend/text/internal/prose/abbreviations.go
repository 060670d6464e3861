package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Continues reports whether a sentence that seems to end with before continues with next. There is no white space at the end
// of before and the beginning of next.
func Continues(before, next string) bool {
	bare := strings.TrimRightFunc(before, IsClosing)
	first := FirstRune(next)
	if len(bare) < len(before) {
		return unicode.IsLower(first) || strings.HasPrefix(next, "と") || strings.HasPrefix(next, "って") // "Stop!" he said.
	}
	return strings.HasSuffix(bare, ".") && Abbreviates(bare, next)
}

// Abbreviates reports whether the full stop at the end of before is that of an abbreviation, an initial or an ordinal number in
// a sentence that continues with next. There is no white space at the end of before and the beginning of next.
func Abbreviates(before, next string) bool {
	whole := lastWord(before)
	word := withoutElision(whole)
	stem := strings.ToLower(strings.TrimSuffix(word, "."))
	following := wordAfter(next)
	if isDigits(stem) {
		return word == strings.TrimLeftFunc(before, unicode.IsSpace) || followsOrdinal(following)
	}
	if withinParts(before, next) {
		return true
	}
	if parts, found := lastParts(before); found {
		stem = parts
	}
	switch {
	case isAcronym(word) && (titles[stem] || capitalTitles[stem] || midSentence[stem]):
		return !begins(following)
	case titles[stem]:
		return true
	case lowerWords[stem] && unicode.IsLower(FirstRune(word)) && word == whole: // cap is a word, Cap. is not
		return isNumbered(stem, next)
	default:
		return abbreviatesHere(before, next, word, stem)
	}
}

// abbreviatesHere is the part of Abbreviates for abbreviations that depend on what is beside them; stem is word, or all parts of
// the abbreviation, in lower case and without the last full stop.
func abbreviatesHere(before, next, word, stem string) bool {
	following := wordAfter(next)
	switch {
	case capitalTitles[stem]:
		return unicode.IsUpper(FirstRune(word)) && !capitalWords[stem] || !begins(following)
	case word == "M." && strings.HasPrefix(following, "l"): // M. Le Pen
		return true
	case IsMidSentence(stem), isNumbered(stem, next):
		return true
	case stem == "v" && word == "v.": // Roe v. Wade
		return unicode.IsUpper(FirstRune(next))
	case word == "c.": // c. 1900, the 5th c. BCE
		return isNumber(next) || isEra(following)
	case listEnds[stem]: // т. д. И может быть
		return isLetter(following + ".")
	case IsAmbiguous(stem), isStreet(stem), isInitials(word), isLetter(word) && isLetter(lastWord(strings.TrimSuffix(before, word))):
		return !begins(following)
	}
	return false
}

// withoutElision returns a word without an article before an apostrophe: avv. for l'avv.
func withoutElision(word string) string {
	for _, apostrophe := range [...]string{"'", "’"} {
		if _, after, found := strings.Cut(word, apostrophe); found && utf8.RuneCountInString(after) > len("t.") {
			return after
		}
	}
	return word
}

// wordAfter returns the first word of s in lower case, nothing if it is an initial.
func wordAfter(s string) string {
	word := FirstWord(s)
	if strings.HasPrefix(strings.TrimLeftFunc(s, IsOpening)[len(word):], ".") && isLetter(word+".") {
		return ""
	}
	return strings.ToLower(word)
}

// The most words of an abbreviation in several, and the bytes in which they are looked for.
const (
	mostParts    = 5
	longestParts = 64
)

// withinParts reports whether before ends and next begins within an abbreviation of several words, such as z. B.
func withinParts(before, next string) bool {
	last, coming := fields(before, false), fields(next, true)
	key := ""
	for i := len(last) - 1; i >= 0; i-- {
		key = strings.TrimLeftFunc(last[i], IsOpening) + key
		joined := key
		for _, word := range coming {
			joined += strings.TrimRightFunc(word, func(r rune) bool { return r != '.' && !unicode.IsLetter(r) })
			if abbreviatedPhrases[strings.ToLower(strings.TrimSuffix(joined, "."))] && strings.HasSuffix(joined, ".") {
				return true
			}
		}
	}
	return false
}

// lastParts returns the abbreviation of several words that s ends with, without blanks, as in z.b for "z. B.".
func lastParts(s string) (stem string, found bool) {
	key := ""
	last := fields(s, false)
	for i := len(last) - 1; i >= 0; i-- {
		key = strings.TrimLeftFunc(last[i], IsOpening) + key
		if joined := strings.ToLower(strings.TrimSuffix(key, ".")); abbreviatedPhrases[joined] {
			stem, found = joined, true
		}
	}
	return stem, found
}

// fields returns the first or the last few words of s.
func fields(s string, first bool) []string {
	low, high := max(0, len(s)-longestParts), len(s)
	if first {
		low, high = 0, min(len(s), longestParts)
	}
	all := strings.Fields(s[low:high])
	if first {
		return all[:min(len(all), mostParts-1)]
	}
	return all[max(0, len(all)-mostParts):]
}

// isDigits reports whether s is digits of ASCII.
func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// isInitials reports whether word is single letters with full stops or hyphens, one of them a capital: J., J.-C., U.S.
func isInitials(word string) bool {
	upper := false
	for part := range strings.SplitSeq(strings.TrimSuffix(strings.ReplaceAll(word, ".-", "."), "."), ".") {
		r, size := utf8.DecodeRuneInString(part)
		if size != len(part) || !unicode.IsLetter(r) {
			return false
		}
		upper = upper || unicode.IsUpper(r)
	}
	return upper
}

// isLetter reports whether word is a single letter with a full stop, as in u. a.
func isLetter(word string) bool {
	r, size := utf8.DecodeRuneInString(word)
	return unicode.IsLetter(r) && word[size:] == "."
}

// isAcronym reports whether word is two capitals or more with a full stop behind them.
func isAcronym(word string) bool {
	name := strings.TrimSuffix(word, ".")
	return utf8.RuneCountInString(name) > 1 && AllCapitals(name) && !strings.Contains(name, ".")
}

// isStreet reports whether stem is the abbreviation of a German street: Goethestr.
func isStreet(stem string) bool {
	return len(stem) > len("str") && strings.HasSuffix(stem, "str")
}

// IsTitle reports whether stem is an abbreviation before a name. Like the stems below it is in lower case, without its last
// full stop.
func IsTitle(stem string) bool { return titles[stem] || capitalTitles[stem] }

// IsMidSentence reports whether stem is an abbreviation that does not end a sentence. None is a word of a widely spoken
// language.
func IsMidSentence(stem string) bool { return midSentence[stem] }

// IsAmbiguous reports whether stem is an abbreviation that may end a sentence; the word after it decides.
func IsAmbiguous(stem string) bool { return ambiguous[stem] }

// isNumbered reports whether stem is an abbreviation before a number, and next begins with one: No. 5, Fig. 2, S. 12, Apt. 4B,
// ref. AB-1234, vol. II.
func isNumbered(stem, next string) bool {
	switch {
	case !numbered[stem] && !isStreet(stem):
		return false
	case isNumber(next):
		return true
	}
	code := next
	if i := strings.IndexFunc(next, unicode.IsSpace); i >= 0 {
		code = next[:i]
	}
	code = strings.TrimRight(strings.TrimLeftFunc(code, IsOpening), `.,;:!?)]}"'’”»`)
	return strings.ContainsAny(code, "0123456789") || len(code) > 1 && strings.Trim(code, "IVXLCDM") == "" && !numberedWords[stem]
}

// isNumber reports whether s begins with a number.
func isNumber(s string) bool { return unicode.IsNumber(FirstRune(s)) }

// isEra reports whether word names an era, as in 5th c. BCE.
func isEra(word string) bool {
	switch word {
	case "bc", "bce", "ad", "ce":
		return true
	}
	return false
}

// followsOrdinal reports whether word follows an ordinal, which German writes with a full stop: 3. Oktober.
func followsOrdinal(word string) bool {
	switch word {
	case "januar", "jänner", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober",
		"november", "dezember", "jahrhundert", "jahrhunderts", "jahrtausend", "weltkrieg", "weltkriegs", "klasse",
		"stock", "stockwerk", "etage", "platz", "kapitel", "geburtstag", "auflage", "jh", "jhdt", "liga", "bundesliga", "fc",
		"sinfonie", "symphonie", "armee", "advent", "semester", "quartal", "halbjahr",
		"jan", "feb", "mär", "apr", "jun", "jul", "aug", "sep", "sept", "okt", "nov", "dez":
		return true
	}
	return false
}

// StartsSentence reports whether word, after an initial or an abbreviation, begins a new sentence and is no part of a name.
func StartsSentence(word string) bool {
	switch word {
	case "a", "an", "the", "this", "that", "these", "those", "there", "here", "i", "you", "he", "she", "it", "we", "they",
		"his", "her", "its", "our", "their", "my", "your", "and", "but", "or", "so", "if", "when", "while", "where",
		"what", "why", "who", "how", "in", "on", "at", "for", "from", "with", "as", "after", "before", "then", "now",
		"is", "are", "was", "did", "do", "does", "can", "no", "yes", "not", "however", "although", "because",
		"since", "some", "many", "most", "all", "let", "please", "once",
		"der", "die", "das", "ein", "eine", "er", "sie", "es", "wir", "ihr", "ich", "und", "aber", "wenn", "dann", "dort",
		"le", "la", "les", "un", "une", "il", "elle", "ils", "nous", "vous", "je", "mais", "et",
		"el", "los", "las", "una", "ella", "nosotros", "pero", "y", "lo", "gli", "ma", "o", "os", "ele", "ela", "mas",
		"он", "она", "они", "мы", "это", "но", "и", "в", "het", "een", "hij", "zij", "ze", "wij", "maar":
		return true
	}
	return false
}

// begins reports whether word, after an initial or an abbreviation, begins a new sentence in one of the languages of the lists.
func begins(word string) bool { return StartsSentence(word) || firstWords[word] }

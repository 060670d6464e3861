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
		return unicode.IsLower(first) // "Stop!" he said.
	}
	word := lastWord(bare)
	if !strings.HasSuffix(word, ".") {
		return false
	}
	stem := strings.ToLower(strings.TrimSuffix(word, "."))
	following := strings.ToLower(FirstWord(next))
	switch {
	case isDigits(stem):
		return word == strings.TrimLeftFunc(bare, unicode.IsSpace) || followsOrdinal(following)
	case IsTitle(stem):
		return unicode.IsUpper(FirstRune(word)) || len(stem) == 2
	case IsMidSentence(stem):
		return true
	case (isNumbered(stem) || word == "c.") && unicode.IsNumber(first): // c. 1900
		return true
	case IsAmbiguous(stem), isInitials(word), isLetter(word) && isLetter(lastWord(strings.TrimSuffix(bare, word))):
		return !StartsSentence(following)
	}
	return false
}

// isDigits reports whether s is digits of ASCII.
func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// isInitials reports whether word is single letters with full stops, one of them a capital: J., U.S., z.B.
func isInitials(word string) bool {
	upper := false
	for part := range strings.SplitSeq(strings.TrimSuffix(word, "."), ".") {
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

// IsTitle reports whether stem is an abbreviation before a name. Like the stems below it is in lower case, without its last
// full stop.
func IsTitle(stem string) bool {
	switch stem {
	case "dr", "mr", "mrs", "ms", "mx", "prof", "rev", "hon", "gen", "col", "maj", "capt", "lt", "sgt", "cpl", "gov", "sen",
		"rep", "pres", "supt", "messrs", "mt", // English
		"hr", "fr", "frl", "dipl", "ing", "hl", // German
		"mme", "mlle", "mm", "mgr", // French, Polish
		"sr", "sra", "srta", "sres", "dra", "ud", "uds", "dña", "sto", "sta", // Spanish, Portuguese
		"exmo", "exma", "sig", "sigg", "sig.ra", "sig.na", "dott", "dott.ssa", "avv", // Portuguese, Italian
		"dhr", "mevr", "mej", "drs", // Dutch
		"проф", "акад", "тов", "г-н", // Russian
		"mudr", "judr", "phdr", "rndr", "özv", "ifj", "doç": // Czech, Hungarian, Turkish
		return true
	}
	return false
}

// IsMidSentence reports whether stem is an abbreviation that does not end a sentence. None is a word of a widely spoken
// language.
func IsMidSentence(stem string) bool {
	switch stem {
	case "e.g", "i.e", "viz", "approx", "vs", "cf", "esp", "incl", "resp", // English
		"z.b", "d.h", "o.ä", "u.ä", "i.d.r", "bzw", "bspw", "ggf", "evtl", "inkl", "exkl", "zzgl", "vgl", "sog", "z.t",
		"v.a", "v.chr", "n.chr", "geb", "mio", "mrd", "ehem", // German
		"p.ex", "p.ej", "p.es", "env", // French, Spanish, Italian, Portuguese
		"bijv", "o.a", "d.w.z", "m.b.t", "t.o.v", "i.p.v", // Dutch
		"т.е", "т.к", "т.н", "ул", "напр", // Russian
		"np", "tzn", "tzw", "m.in", "inż", "hab", "např", "tzv", // Polish, Czech
		"t.ex", "bl.a", "d.v.s", "f.eks", "esim", "örn": // Scandinavian, Finnish, Turkish
		return true
	}
	return false
}

// IsAmbiguous reports whether stem is an abbreviation that may end a sentence; the word after it decides.
func IsAmbiguous(stem string) bool {
	switch stem {
	case "st", "jr", "snr", "jnr", "inc", "ltd", "co", "corp", "bros", "dept", "univ", "ave", "blvd", "rd", "ft", "al",
		"ph.d", "m.sc", "b.sc", "ee.uu", "gmbh", "abt", "ca", "г", "гг", "руб", "тыс", "стр",
		"jan", "feb", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "okt", "nov", "dec", "dez",
		"tue", "tues", "wed", "thu", "thurs", "fri":
		return true
	case "a.m", "p.m", "a.d", "b.c", "u.a", "s.a", "s.l":
		return true
	}
	return false
}

// isNumbered reports whether stem is an abbreviation before a number: No. 5, Fig. 2, S. 12.
func isNumbered(stem string) bool {
	switch stem {
	case "no", "nos", "nr", "num", "núm", "n", "fig", "figs", "eq", "sec", "sect", "ch", "chap", "p", "pp", "pg",
		"vol", "vols", "art", "par", "para", "ed", "abb", "tab", "kap", "abs", "s", "bd", "pág", "págs", "pag",
		"cap", "tel", "ext", "str", "č", "рис", "гл", "v", "sv":
		return true
	}
	return false
}

// followsOrdinal reports whether word follows an ordinal, which German writes with a full stop: 3. Oktober.
func followsOrdinal(word string) bool {
	switch word {
	case "januar", "jänner", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober",
		"november", "dezember", "jahrhundert", "jahrhunderts", "jahrtausend", "weltkrieg", "weltkriegs", "klasse",
		"stock", "platz", "kapitel", "geburtstag", "auflage":
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

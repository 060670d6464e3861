// Package chapter recognizes the lines with which chapters, parts and scenes of a text begin, in the languages of the voices.
package chapter

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/pattern"
)

// Rank is how far above the text of a chapter its heading is.
type Rank int

// The ranks of headings.
const (
	Part    Rank = iota + 1 // parts, books, volumes and acts
	Chapter                 // chapters, letters, cantos and scenes
	Section                 // of a chapter
)

// Heading is a line such as "Chapter 12: The Storm".
type Heading struct {
	Rank   Rank
	Word   string // in lower case, such as chapter; empty where the line is only a number
	Number string // as it is written, in lower case
	Title  string // what follows on the line
}

// Longest is the number of characters of the longest line that is a heading.
const Longest = 120

// word patterns by rank. Those before the number and behind it are the same.
const (
	partWords = `part|book|volume|act|teil|buch|band|akt|aufzug|partie|livre|tome|acte|parte|libro|tomo|volumen|acto|atto|livro|ato|` +
		`deel|boek|bedrijf|część|księga|часть|книга|том|действие|частина|část|kniha|osa|kirja|kısım`
	chapterWords = `chapter|canto|letter|scene|kapitel|szene|auftritt|gesang|chapitre|scène|lettre|cap[íi]tulo|escena|carta|` +
		`capitolo|scena|lettera|cena|hoofdstuk|rozdział|глава|сцена|явление|письмо|розділ|kapitola|kapittel|luku|bölüm`
	sectionWords = `section|abschnitt`

	anyWord = `(` + partWords + `|` + chapterWords + `|` + sectionWords + `)`
	digits  = `[0-9]{1,4}|[ivxlcdm]{1,9}`
)

// separated is what follows the number: nothing, a mark, or a mark or blanks and the title.
const separated = `(?:[ \t]*[.:—–-]*|[ \t]*[.:—–-]+[ \t]*(\S.*)|(?:[ \t]{2,}|\t)(\S.*))$`

var (
	wordFirst   = pattern.New(`(?i)^` + anyWord + `\s+(?:the\s+)?(` + digits + `|` + numberWords + `)` + separated)
	numberFirst = pattern.New(`(?i)^(?:the\s+|der\s+|das\s+|het\s+)?((?:` + digits + `)[.ªº°]|` + ordinals +
		`)\s+` + anyWord + separated)
	capitals = pattern.New(`(?i)^` + anyWord + `\s+(` + digits + `)[.:]?\s+(\S.*)$`)
	eastern  = pattern.New(`^(第.{1,8}?([章回節节部卷])|제\s?[0-9]{1,3}\s?([장부편]))\s*(.*)$`)
	numeral  = pattern.New(`(?i)^(?:§\s*)?(` + digits + `)(?:(?:[.:)]|\s*[—–-]+)(?:\s+(\S.*))?|(?:\s{2,}|\t)(\S.*))?$`)
	scene    = pattern.New(`^(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,}|(?:•\s*){3,}|(?:~\s*){3,}|(?:⁂\s*)+|#|§)$`)
)

// Parse returns the heading of a chapter or part that a line is: a word such as chapter with a number.
func Parse(line string) (Heading, bool) {
	line = strings.TrimSpace(line)
	if line == "" || len(line) > 4*Longest || utf8.RuneCountInString(line) > Longest {
		return Heading{}, false
	}
	if m := wordFirst.FindStringSubmatch(line); m != nil && isNumber(m[2]) {
		return newHeading(m[1], m[2], m[3]+m[4]), true
	}
	if m := numberFirst.FindStringSubmatch(line); m != nil && isNumber(strings.TrimRight(m[1], ".ªº°")) {
		return newHeading(m[2], strings.TrimRight(m[1], ".ªº°"), m[3]+m[4]), true
	}
	if m := capitals.FindStringSubmatch(line); m != nil && isNumber(m[2]) && line == strings.ToUpper(line) {
		return newHeading(m[1], m[2], m[3]), true
	}
	if m := eastern.FindStringSubmatch(line); m != nil {
		h := Heading{Rank: Chapter, Word: m[2] + m[3], Number: m[1], Title: m[4]}
		if strings.ContainsAny(h.Word, "部卷부편") {
			h.Rank = Part
		}
		return h, true
	}
	return Heading{}, false
}

// newHeading returns the heading of a word with a number.
func newHeading(word, number, title string) Heading {
	h := Heading{Rank: Chapter, Word: strings.ToLower(word), Number: strings.ToLower(number), Title: strings.TrimSpace(title)}
	switch {
	case partWord.MatchString(word):
		h.Rank = Part
	case sectionWord.MatchString(word):
		h.Rank = Section
	}
	return h
}

var (
	partWord    = pattern.New(`(?i)^(?:` + partWords + `)$`)
	sectionWord = pattern.New(`(?i)^(?:` + sectionWords + `)$`)
)

// isNumber reports whether letters that may be a Roman number are one; other numbers are.
func isNumber(s string) bool {
	if strings.Trim(strings.ToLower(s), "ivxlcdm") != "" {
		return true
	}
	return Value(s) > 0
}

// Numeral returns the heading that a line is which begins with a number in digits or Roman numerals, without a word, such as "IV." or
// "4. The Storm", and the value of the number. Whether it is the heading of a chapter depends on the numbers around it.
func Numeral(line string) (h Heading, value int) {
	line = strings.TrimSpace(line)
	if line == "" || len(line) > 4*Longest || utf8.RuneCountInString(line) > Longest {
		return Heading{}, 0
	}
	m := numeral.FindStringSubmatch(line)
	if m == nil {
		return Heading{}, 0
	}
	return Heading{Rank: Chapter, Number: strings.ToLower(m[1]), Title: m[2] + m[3]}, Value(m[1])
}

// Value returns the value of a number in digits or Roman numerals, which may be written with four equal signs (xiiii); 0 for others.
func Value(number string) int {
	n := 0
	if strings.Trim(number, "0123456789") == "" && len(number) <= 4 {
		for _, r := range number {
			n = 10*n + int(r-'0')
		}
		return n
	}
	s := strings.ToLower(number)
	for _, sign := range []struct {
		text         string
		value, times int
	}{
		{"m", 1000, 3},
		{"cm", 900, 1},
		{"d", 500, 1},
		{"cd", 400, 1},
		{"c", 100, 4},
		{"xc", 90, 1},
		{"l", 50, 1},
		{"xl", 40, 1},
		{"x", 10, 4},
		{"ix", 9, 1},
		{"v", 5, 1},
		{"iv", 4, 1},
		{"i", 1, 4},
	} {
		for range sign.times {
			after, ok := strings.CutPrefix(s, sign.text)
			if !ok {
				break
			}
			s, n = after, n+sign.value
		}
	}
	if s != "" {
		return 0
	}
	return n
}

// Named returns the rank of a line that is the usual name of a part without a number, such as "Epilogue", 0 for other lines. Part
// means that it is beside the parts, where there are some.
func Named(line string) Rank {
	line = strings.TrimRight(strings.ToLower(strings.TrimSpace(line)), ".:")
	return names[line]
}

// IsContents reports whether a line is the heading of a table of contents.
func IsContents(line string) bool {
	return contents[strings.TrimRight(strings.ToLower(strings.TrimSpace(line)), ".:")]
}

// IsScene reports whether a line is a break between scenes, such as * * *.
func IsScene(line string) bool { return scene.MatchString(strings.TrimSpace(line)) }

// IsTitle reports whether a line can be a title that no word marks as one: short, and not a sentence or a part of one.
func IsTitle(line string) bool {
	const mostChars, mostWords = 80, 12
	line = strings.Trim(strings.TrimSpace(line), "_*")
	if line == "" || utf8.RuneCountInString(line) > mostChars || len(strings.Fields(line)) > mostWords {
		return false
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(line, `"'“‘„«»([`))
	if !unicode.IsLetter(first) && !unicode.IsNumber(first) || unicode.IsLower(first) {
		return false
	}
	if line == strings.ToUpper(line) && line != strings.ToLower(line) {
		return true // whatever its end is
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(line, `"'”’“»)]`))
	return !unicode.In(last, unicode.Po, unicode.Pd)
}

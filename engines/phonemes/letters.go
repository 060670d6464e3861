package phonemes

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	textenglish "github.com/voicewright/voicewright/backend/text/english"
)

// Around are the words around a single A as they are written. A word is empty where a mark that divides, or an end of the
// text, is between it and the A.
type Around struct {
	Earlier, Before string
	Next, After     string
	Line            bool // the A begins a line
	Prose           bool // the sentence is neither in capitals nor a title
}

// LetterA reports whether a capital A is the name of the letter and not the article: part of an acronym or of a name, what
// something is called (plan A, the A team), or before a word that no article precedes (A or B).
func (w Around) LetterA() bool {
	lower := strings.ToLower(w.Before)
	switch {
	case SingleCapital(w.Before), w.Before == "I" && SingleCapital(w.Earlier), w.Next == "I", strings.HasPrefix(w.Next, "I-"):
		return true
	case SingleCapital(w.Next):
		return w.Before != "" || !lettered[w.After] // a B movie
	case NotAfterArticle(w.Next, w.After), naming[lower], numbers[lower[strings.LastIndexByte(lower, '-')+1:]],
		textenglish.Lettered(lower) && !w.Line:
		return true
	case w.Before == "" || w.Line && !capitalised(w.Next):
		return false
	case !capitalised(w.Next):
		return true
	}
	return w.Prose && capitalised(w.Before) && !small[lower] // John A Macdonald
}

var (
	// naming are words after which an A is no article.
	naming = set("the an this that my your his her its our their each every another")

	// numbers are the last words of the number of a house or a page, which a letter may follow: twelve A.
	numbers = set("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen " +
		"eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand")

	// lettered are things that have the name of a letter before them: a B movie, a C major chord.
	lettered = set("movie movies film major minor flat sharp shirt turn ray section side string student grade shape shaped sign " +
		"junction wave cup note")

	// logic are words after "not" in a statement about the name of a letter: a not equal to b.
	logic = set("equal equals equivalent")

	// doses are words after "one vitamin a", where the a is the article.
	doses = set("day night morning week month year pill tablet capsule time")

	// hosts are the last words of addresses.
	hosts = set("com org net")

	// small are words that titles and sentences begin with in capitals and that are no names.
	small = set("a an and as at be but by for from had has have he i if in into is it like need not of on once or over quite she " +
		"such than that then there they this to upon was we what when with without you")
)

func set(list string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		words[w] = true
	}
	return words
}

// SmallLetterA reports whether a small a with these words around it is a letter: vitamin a, a at b, a is
// greater than b.
func SmallLetterA(before, next, after string) bool {
	letter := len(after) == 1 && alphanumeric(first(after))
	switch next {
	case "is", "was", "are", "equals", "at":
		return true
	case "not":
		return letter && after != "a" || logic[after]
	case "plus", "minus", "times", "dot": // a plus b
		return letter
	case "and", "or":
		return letter && after != "a"
	}
	alphabet := len(next) == 1 && letter && lower(first(next)) && lower(first(after)) // a b c
	return alphabet || strings.EqualFold(before, "vitamin") && !doses[next]
}

// NotAfterArticle reports whether a word cannot follow the article "a", so that an A before it is a letter: A is for apple,
// A or B, A to Z. next is the word after it.
func NotAfterArticle(word, next string) bool {
	switch word {
	case "is", "was", "are", "or", "and", "&", "+", "stands", "at", "equals":
		return true
	case "not": // A not B, but a not uncommon mistake
		return SingleCapital(next) || logic[next]
	case "means": // a means to an end
		return next != "of" && next != "to" && next != "by"
	case "to", "plus", "minus", "times": // A to Z
		return SingleCapital(next)
	case "dot": // A dot b at example dot com
		return len(next) == 1 || hosts[next]
	}
	return false
}

// SingleCapital reports whether a word is a single capital letter that is no word by itself.
func SingleCapital(word string) bool {
	return len(word) == 1 && word[0] >= 'A' && word[0] <= 'Z' && word != "I"
}

func capitalised(word string) bool { return unicode.IsUpper(first(word)) }

func first(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// shortCapitals are what may be a short acronym that is read as a word.
var shortCapitals = regexp.MustCompile(`\b[A-Z]{3}\b`)

// English returns a text in English, with as many words, so that espeak-ng reads it as a person does: the letter A is no
// article, and short acronyms that are words, such as ZIP and NET, are not spelled.
func English(text string) string {
	return shortCapitals.ReplaceAllStringFunc(HyphenateLetterA(text), func(word string) string {
		if textenglish.WordAcronym(word) {
			return strings.ToLower(word)
		}
		return word
	})
}

// HyphenateLetterA writes a hyphen behind each A that is a letter, where espeak-ng would read the article: with the hyphen it
// reads the letter. The number of words stays the same.
func HyphenateLetterA(text string) string {
	if !strings.ContainsAny(text, "Aa") {
		return text
	}
	var out strings.Builder
	written := 0
	for i := range len(text) {
		if text[i] != 'A' && text[i] != 'a' || within(text, i) {
			continue
		}
		after := text[i+1:]
		marked := text[i] == 'A' && strings.HasPrefix(after, textenglish.NoBreak)
		if !marked && !isLetter(text, i) {
			continue
		}
		out.WriteString(text[written:i+1] + "-")
		if written = i + 1; marked {
			out.WriteByte(' ')
			written += len(textenglish.NoBreak)
		}
	}
	if written == 0 {
		return text
	}
	return out.String() + text[written:]
}

// within reports whether the letter at i is within a word or at its end, or has a mark before or after it that makes it one.
func within(text string, i int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after := first(text[i+1:])
	if before == '-' && text[i] == 'A' && i > 1 && alphanumeric(rune(text[i-2])) && strings.HasPrefix(text[i+1:], " ") {
		return false // grade-A beef
	}
	return i > 0 && (alphanumeric(before) || strings.ContainsRune("'’-._/", before)) || alphanumeric(after) ||
		strings.ContainsRune("'-_/", after) ||
		after == '’' && alphanumeric(first(text[i+1+len("’"):]))
}

// isLetter reports whether the single A or a at i is a letter and followed by something, without which espeak-ng reads the
// letter anyway.
func isLetter(text string, i int) bool {
	after := text[i+1:]
	switch r := first(after); {
	case strings.HasSuffix(text[:i], "-"):
		return true
	case after == "" || strings.ContainsRune(",.:;!?", r):
		return false
	case !space(r): // (a) and A—the best
		return text[i] == 'A' || bracket(r)
	}
	w := around(text, i)
	switch {
	case w.Next == "":
		return text[i] == 'A' && strings.TrimSpace(after) != ""
	case text[i] == 'a':
		return SmallLetterA(w.Before, w.Next, w.After)
	}
	return w.LetterA()
}

func isOpening(r rune) bool { return strings.ContainsRune(`("'“‘[{«`, r) }

// around returns the words around the A at i.
func around(text string, i int) Around {
	w := Around{Line: strings.HasSuffix(strings.TrimRight(text[:i], " \t"), "\n"), Prose: prose(text, i)}
	left := text[:i]
	w.Before, left = wordBefore(left)
	w.Earlier, _ = wordBefore(left)
	right := text[i+1:]
	w.Next, right = wordAfter(right)
	w.After, _ = wordAfter(right)
	return w
}

// wordBefore returns the last word of a text and what is before it; the word is empty if a mark is behind
// it.
func wordBefore(text string) (word, before string) {
	bare := strings.TrimRightFunc(text, space)
	start := 0
	if mark := strings.LastIndexFunc(bare, outside); mark >= 0 {
		_, size := utf8.DecodeRuneInString(bare[mark:])
		start = mark + size
	}
	return strings.Trim(bare[start:], "-'’"), bare[:start]
}

// wordAfter returns the first word of a text, over opening marks, and what is after it; the word is empty if another mark is
// before it. A letter before a hyphen is a word.
func wordAfter(text string) (word, after string) {
	bare := strings.TrimLeftFunc(text, func(r rune) bool { return space(r) || isOpening(r) })
	if strings.HasPrefix(bare, "&") || strings.HasPrefix(bare, "+") {
		return bare[:1], bare[1:]
	}
	end := strings.IndexFunc(bare, outside)
	if end < 0 {
		end = len(bare)
	}
	word = bare[:end]
	if len(word) > 1 && (word[0] == 'I' || SingleCapital(word[:1])) && letterAlone(word[1:]) {
		word = word[:1]
	}
	return strings.Trim(word, "-'’"), bare[end:]
}

// letterAlone reports whether what follows a capital leaves it a letter of an acronym: 's, or a hyphen and a number as in AB-12.
// A letter before another word is no acronym, as in a T-shirt.
func letterAlone(after string) bool {
	number, hyphen := strings.CutPrefix(after, "-")
	number, _, _ = strings.Cut(number, "-")
	return !hyphen && strings.ContainsRune("'’", first(after)) || hyphen && (numbers[number] || len(number) == 1)
}

// outside reports whether r is no part of a word.
func outside(r rune) bool { return !alphanumeric(r) && !strings.ContainsRune("-'’", r) }

// prose reports whether the sentence around i has a word in small letters that titles would write with a capital.
func prose(text string, i int) bool {
	start := strings.LastIndexAny(text[:i], ".!?\n") + 1
	end := strings.IndexAny(text[i:], ".!?\n")
	if end < 0 {
		end = len(text) - i
	}
	for w := range strings.FieldsSeq(text[start : i+end]) {
		if TitleWord(strings.TrimFunc(w, outside)) {
			return true
		}
	}
	return false
}

// TitleWord reports whether a word in small letters would have a capital in a title.
func TitleWord(word string) bool { return lower(first(word)) && !small[word] && word != "the" }

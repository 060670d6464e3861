package moss

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/engines/python"
)

// The rules are those of the makers' script (tts_robust_normalizer_single_script.py), which is written with expressions that
// look ahead and behind; Go's cannot, so those are functions.

// spaces is white space as Python's expressions know it, for use inside brackets.
const spaces = `\t-\r\x1c-\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}`

// rule replaces what an expression matches.
type rule struct {
	pattern     *regexp.Regexp
	replacement string
}

// newRule returns a rule; S in the pattern stands for a character of white space.
func newRule(pattern, replacement string) rule {
	return rule{regexp.MustCompile(strings.ReplaceAll(pattern, "S", "["+spaces+"]")), replacement}
}

func apply(text string, rules []rule) string {
	for _, r := range rules {
		text = r.pattern.ReplaceAllString(text, r.replacement)
	}
	return text
}

var (
	link  = newRule(`\[([^\[\]]+?)\]\((https?://[^)`+spaces+`]+)\)`, "$1 $2")
	arrow = newRule(`S*(?:<[-=]+>|[-=]+>|<[-=]+|[→←↔⇒⇐⇔⟶⟵⟷⟹⟸⟺↦↤↪↩])S*`, "，")

	// lineMarks are headings, quotes, lists and numbered lists of Markdown.
	lineMarks = []rule{newRule(`^#{1,6}S+`, ""), newRule(`^>S+`, ""), newRule(`^[-*+]S+`, ""), newRule(`^\p{Nd}+[.)]S+`, "")}

	// runsOfSpaces become one space.
	runsOfSpaces = newRule(`[ \t\r\f\v]+`, " ")

	// spacesAtMarks are those before and after Chinese marks, and before English ones.
	spacesAtMarks = []rule{
		newRule(` {2,}`, " "),
		newRule(`S+([，。！？；：、”’」』】）》])`, "$1"),
		newRule(`([（【「『《“‘])S+`, "$1"),
		newRule(`([，。！？；：、])S*`, "$1"),
		newRule(`S+([,.;!?])`, "$1"),
		newRule(` {2,}`, " "),
	}

	// brackets become quotation marks.
	brackets = []rule{
		newRule(`\[S*([^\[\]]+?)S*\]`, `"$1"`),
		newRule(`\{S*([^{}]+?)S*\}`, `"$1"`),
		newRule(`[【〖『「]S*([^】〗』」]+?)S*[】〗』」]`, `"$1"`),
	}

	dashes = newRule(`S*[—–―-]{2,}S*`, "。")

	// repeated are marks that stand several times.
	repeated = []rule{
		newRule(`\.{3,}|…{2,}`, "。"), newRule(`[。．]{2,}`, "。"), newRule(`[，,]{2,}`, "，"), newRule(`[!！]{2,}`, "！"),
		newRule(`[?？]{2,}`, "？"),
	}

	questions = regexp.MustCompile(`[!?！？]{2,}`)
)

// normalize returns a text as the makers prepare it for the model: without Markdown and invisible characters, with marks that
// the model was trained on, with spaces between Chinese and Latin words, and with a mark at its end. Addresses, names of
// files and versions stay as they are.
func normalize(text string) string {
	text = arrow.pattern.ReplaceAllString(joinLines(clean(text)), arrow.replacement)
	p := protect(text)
	text = normalizeSpaces(plainUnderscores(p.text))
	text = unwrapTitles(apply(text, brackets))
	text = apply(text, []rule{arrow, dashes})
	text = questions.ReplaceAllStringFunc(apply(text, repeated), mixedQuestion)
	return endWithMark(python.TrimSpace(p.restore(normalizeSpaces(text))))
}

// clean removes control characters and characters without a width, and makes all line ends \n.
func clean(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u3000", " ").Replace(text)
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && isOther(r) {
			return -1
		}
		return r
	}, text)
}

// isOther reports whether a character is of Unicode's category C: control, format, private use or unassigned.
func isOther(r rune) bool {
	return !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z)
}

// joinLines returns the lines of a text, without marks of Markdown, as sentences.
func joinLines(text string) string {
	var out strings.Builder
	previous := ""
	for _, line := range python.Lines(link.pattern.ReplaceAllString(text, link.replacement)) {
		if line = python.TrimSpace(line); line == "" {
			continue
		}
		out.WriteString(endWithMark(previous))
		previous = apply(line, lineMarks)
	}
	return out.String() + previous
}

// endWithMark returns the text with a full stop unless it ends with a mark, or a mark in quotation marks or brackets.
func endWithMark(text string) string {
	if text == "" {
		return ""
	}
	inner := strings.TrimRight(strings.TrimRightFunc(text, python.IsSpace), `"')]}）】》〉」』”’`)
	if last, size := utf8.DecodeLastRuneInString(inner); size > 0 && unicode.IsPunct(last) {
		return text
	}
	return text + "。"
}

// normalizeSpaces removes spaces inside Chinese and Japanese, puts one between them and Latin words, and removes those at
// marks.
func normalizeSpaces(text string) string {
	text = runsOfSpaces.pattern.ReplaceAllString(text, runsOfSpaces.replacement)
	text = dropSpaces(text, isHan, isHan)
	text = dropSpaces(text, isHan, isDigit)
	text = dropSpaces(text, isDigit, isHan)
	text = spaceAfterWords(spaceBeforeWords(text))
	return python.TrimSpace(apply(text, spacesAtMarks))
}

// isHan reports whether a character is Chinese or Japanese, whose words have no spaces between them.
func isHan(r rune) bool {
	return r >= 0x3400 && r <= 0x4dbf || r >= 0x4e00 && r <= 0x9fff || r >= 0x3040 && r <= 0x30ff
}

func isDigit(r rune) bool { return unicode.Is(unicode.Nd, r) }

// dropSpaces removes white space between two kinds of characters.
func dropSpaces(text string, before, after func(rune) bool) string {
	var out strings.Builder
	last := rune(-1)
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		if python.IsSpace(r) {
			following := strings.TrimLeftFunc(text, python.IsSpace)
			size = len(text) - len(following)
			next, _ := utf8.DecodeRuneInString(following)
			if before(last) && following != "" && after(next) {
				text = following
				continue
			}
		}
		out.WriteString(text[:size])
		last, text = r, text[size:]
	}
	return out.String()
}

// spaceBeforeWords puts a space between a Chinese or Japanese character and a Latin word or a placeholder.
func spaceBeforeWords(text string) string {
	var out strings.Builder
	afterHan := false
	for i, r := range text {
		if afterHan && (placeholderAtStart.MatchString(text[i:]) || isLetterOrDigit(r) && hasLetter(firstRun(text[i:]))) {
			out.WriteByte(' ')
		}
		out.WriteRune(r)
		afterHan = isHan(r)
	}
	return out.String()
}

// spaceAfterWords puts a space between a Latin word or a placeholder and a Chinese or Japanese character.
func spaceAfterWords(text string) string {
	var out strings.Builder
	for text != "" {
		run := firstRun(text)
		out.WriteString(run)
		if text = text[len(run):]; text == "" {
			break
		}
		r, size := utf8.DecodeRuneInString(text)
		if isHan(r) && hasLetter(run) {
			out.WriteByte(' ')
		}
		out.WriteRune(r)
		text = text[size:]
	}
	return out.String()
}

// title is what may follow the title of a book for it to be a heading.
var title = newRule(`^S*(?:___PROT\p{Nd}+___|[—–―-]{2,}|$|[。！？!?；;，,])`, "")

// unwrapTitles removes the marks of titles that are a sentence of their own.
func unwrapTitles(text string) string {
	var out strings.Builder
	done := 0
	for at := 0; at < len(text); {
		open := strings.Index(text[at:], "《")
		if open < 0 {
			break
		}
		start := at + open + len("《")
		length := strings.Index(text[start:], "》")
		if length < 0 {
			break
		}
		end := start + length + len("》")
		if length == 0 || !startsSentence(text[done:start-len("《")], done) || !title.pattern.MatchString(text[end:]) {
			at = start
			continue
		}
		out.WriteString(text[done : start-len("《")])
		out.WriteString(text[start : start+length])
		at, done = end, end
	}
	out.WriteString(text[done:])
	return out.String()
}

// startsSentence reports whether a sentence starts after a part of the text that begins at a place.
func startsSentence(before string, at int) bool {
	last, size := utf8.DecodeLastRuneInString(strings.TrimRightFunc(before, python.IsSpace))
	return at == 0 && before == "" || size > 0 && strings.ContainsRune("。！？!?；;", last)
}

// mixedQuestion returns one mark for several question and exclamation marks.
func mixedQuestion(marks string) string {
	question, exclamation := strings.ContainsAny(marks, "?？"), strings.ContainsAny(marks, "!！")
	switch {
	case question && exclamation:
		return "？！"
	case question:
		return "？"
	}
	return "！"
}

package moss

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/engines/python"
)

// protected is a text whose addresses and names are replaced by placeholders.
type protected struct {
	text  string
	spans []string // what each placeholder stands for
}

var (
	placeholder        = regexp.MustCompile(`___PROT(\p{Nd}+)___`)
	placeholderAtStart = regexp.MustCompile(`^___PROT\p{Nd}+___`)
	address            = regexp.MustCompile(`^https?://[^` + spaces + `，。！？；、）】》〉」』]+`)
)

// span finds what is to be protected at a place in a text. If there is nothing, length is how many bytes to go on: 1 or more.
type span func(text string, at int) (length int, found bool)

// protect replaces addresses, mentions, hashtags, names of files and versions by placeholders.
func protect(text string) *protected {
	p := &protected{text: text}
	for _, find := range []span{webAddress, mailAddress, mention, forum, hashtag, dotName, fileName} {
		p.replace(find)
	}
	return p
}

func (p *protected) replace(find span) {
	var out strings.Builder
	for at := 0; at < len(p.text); {
		length, found := find(p.text, at)
		part := p.text[at : at+length]
		if found {
			out.WriteString("___PROT" + strconv.Itoa(len(p.spans)) + "___")
			p.spans = append(p.spans, p.restore(part))
		} else {
			out.WriteString(part)
		}
		at += length
	}
	p.text = out.String()
}

// restore returns a text with what its placeholders stand for.
func (p *protected) restore(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(s string) string {
		n, err := strconv.Atoi(placeholder.FindStringSubmatch(s)[1])
		if err != nil || n >= len(p.spans) {
			return s
		}
		return p.spans[n]
	})
}

// plainUnderscores replaces underscores outside of placeholders by spaces.
func plainUnderscores(text string) string {
	var out strings.Builder
	done := 0
	for _, at := range placeholder.FindAllStringIndex(text, -1) {
		out.WriteString(strings.ReplaceAll(text[done:at[0]], "_", " "))
		out.WriteString(text[at[0]:at[1]])
		done = at[1]
	}
	return out.String() + strings.ReplaceAll(text[done:], "_", " ")
}

func isLatin(r rune) bool         { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
func isLetterOrDigit(r rune) bool { return isLatin(r) || r >= '0' && r <= '9' }
func isName(r rune) bool          { return isLetterOrDigit(r) || r == '_' }

// isWord reports whether Python's \w matches a character.
func isWord(r rune) bool { return python.IsAlphanumeric(r) || r == '_' }

func hasLetter(s string) bool { return strings.IndexFunc(s, isLatin) >= 0 }

// run returns what a text begins with of characters of a kind.
func run(text string, of func(rune) bool) string {
	end := strings.IndexFunc(text, func(r rune) bool { return !of(r) })
	if end < 0 {
		return text
	}
	return text[:end]
}

// firstRun returns the characters of names of files and versions that a text begins with.
func firstRun(text string) string {
	return run(text, func(r rune) bool { return isName(r) || strings.ContainsRune("./+:-", r) })
}

// nothing is the result of a span that found nothing in the first bytes of a text: at least its first character.
func nothing(text string, skip int) (int, bool) {
	_, size := utf8.DecodeRuneInString(text)
	return max(size, skip), false
}

// afterName reports whether the character before a place is one of names.
func afterName(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	return isName(before)
}

func webAddress(text string, at int) (int, bool) {
	if found := address.FindString(text[at:]); found != "" {
		return len(found), true
	}
	return nothing(text[at:], 0)
}

func mailAddress(text string, at int) (int, bool) {
	before, size := utf8.DecodeLastRuneInString(text[:at])
	if size > 0 && (isWord(before) || strings.ContainsRune(".+-", before)) {
		return nothing(text[at:], 0)
	}
	local := run(text[at:], func(r rune) bool { return isLetterOrDigit(r) || strings.ContainsRune("._%+-", r) })
	afterAt, found := strings.CutPrefix(text[at+len(local):], "@")
	if local == "" || !found {
		return nothing(text[at:], len(local))
	}
	domain := run(afterAt, func(r rune) bool { return isLetterOrDigit(r) || r == '.' || r == '-' })
	dot := strings.LastIndexByte(domain, '.')
	next, _ := utf8.DecodeRuneInString(afterAt[len(domain):])
	if dot < 1 || len(domain)-dot <= 2 || run(domain[dot+1:], isLatin) != domain[dot+1:] || isWord(next) {
		return nothing(text[at:], len(local))
	}
	return len(local) + len("@") + len(domain), true
}

func mention(text string, at int) (int, bool) {
	if text[at] == '@' && !afterName(text, at) {
		if name := run(text[at+1:], isName); name != "" {
			return len("@") + min(len(name), 32), true
		}
	}
	return nothing(text[at:], 0)
}

// forum finds names such as r/golang.
func forum(text string, at int) (int, bool) {
	if (strings.HasPrefix(text[at:], "u/") || strings.HasPrefix(text[at:], "r/")) && !afterName(text, at) {
		if name := run(text[at+2:], isName); name != "" {
			return len("r/") + len(name), true
		}
	}
	return nothing(text[at:], 0)
}

func hashtag(text string, at int) (int, bool) {
	if text[at] == '#' && !afterName(text, at) {
		if tag := run(text[at+1:], func(r rune) bool { return r != '#' && !python.IsSpace(r) }); tag != "" {
			return len("#") + len(tag), true
		}
	}
	return nothing(text[at:], 0)
}

// dotName finds names such as .gitignore.
func dotName(text string, at int) (int, bool) {
	if text[at] != '.' || afterName(text, at) {
		return nothing(text[at:], 0)
	}
	name := run(text[at+1:], func(r rune) bool { return isName(r) || r == '.' || r == '-' })
	if strings.IndexFunc(name, isLetterOrDigit) < 0 {
		return nothing(text[at:], len(".")+len(name))
	}
	return len(".") + len(name), true
}

// fileName finds names such as app.js.map, src/main.go and v2.3.1: with a letter and a mark.
func fileName(text string, at int) (int, bool) {
	if !isLetterOrDigit(rune(text[at])) || afterName(text, at) {
		return nothing(text[at:], 0)
	}
	name := firstRun(text[at:])
	return len(name), hasLetter(name) && strings.ContainsAny(name, "./+:-")
}

package english

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// token reads what is one thing between white space: web and mail addresses, handles, hashtags, files, paths.
func (n *normalizer) token() bool {
	start, end := n.at, n.at
	marked := false
	for end < len(n.s) && !space(n.s[end]) {
		switch n.s[end] {
		case '@', '.', '/', '\\', '#', ':':
			marked = true
		}
		end++
	}
	n.tokenEnd = end
	if !marked || end-start > prose.LongestAddress {
		return false
	}
	for start < end && strings.IndexByte(`("'{`, n.s[start]) >= 0 {
		start++
	}
	token := strings.TrimRight(n.s[start:end], `.,;:!?'")}*`)
	if quote := strings.IndexAny(token, `'"`); quote >= 0 {
		token = token[:quote]
	}
	words := tokenWords(token)
	if words == "" {
		return false
	}
	n.tokenEnd = start
	for n.at < start {
		n.step()
	}
	n.say(words, start+len(token))
	n.tokenEnd = end
	return true
}

// tokenWords returns the words of an address, a handle, a hashtag, a file or a path, empty for other tokens.
func tokenWords(token string) string {
	if token == "" || strings.ContainsAny(token, "[]<>|\"") || !ascii(token) {
		return ""
	}
	for _, scheme := range [...]string{"https://", "http://", "ftp://", "mailto:"} {
		if address, found := strings.CutPrefix(token, scheme); found && address != "" {
			return addressWords(strings.TrimSuffix(address, "/"))
		}
	}
	if name, host, found := strings.Cut(token, "@"); found {
		return mailWords(name, host)
	}
	switch {
	case token[0] == '#':
		return hashtagWords(token[1:])
	case strings.HasPrefix(token, "www."), prose.IsDomain(token), isPath(token), isFileName(token):
		return addressWords(token)
	}
	return ""
}

// mailWords returns the words of a mail address, or of a handle, which has no name before the @.
func mailWords(name, host string) string {
	switch {
	case name == "" && isIdentifier(host) && !digit(host[0]):
		return "at " + addressWords(host)
	case name != "" && prose.IsHost(host) && !strings.ContainsAny(name, `/:\`):
		return addressWords(name + "@" + host)
	}
	return ""
}

// hashtagWords returns the words of a hashtag or a colour such as #A1B2C3, without their #.
func hashtagWords(tag string) string {
	switch {
	case isColour(tag):
		return "hash " + spell(tag)
	case isIdentifier(tag) && !isDigits(tag):
		return "hashtag " + addressWords(tag)
	}
	return ""
}

func isIdentifier(s string) bool { return prose.Only(s, "_") }

func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// isColour reports whether s is six hexadecimal digits, at least one of them a decimal one.
func isColour(s string) bool {
	return len(s) == 6 && strings.Trim(s, "0123456789abcdefABCDEF") == "" && strings.ContainsAny(s, "0123456789")
}

// isPath reports whether s is the path of a file: /usr/bin, ~/notes, C:\Users, src/main.go.
func isPath(s string) bool {
	switch {
	case len(s) > 3 && s[1:3] == `:\`:
		return true
	case strings.HasPrefix(s, "~/"), strings.HasPrefix(s, "./"), strings.HasPrefix(s, "../"):
		return prose.Only(s, "~./_-") && len(s) > 3
	case s[0] == '/':
		return len(s) > 2 && prose.Only(s, "./_-") && !digit(s[1])
	}
	slash := strings.LastIndexByte(s, '/')
	return slash > 0 && prose.Only(s, "./_-") && isFileName(s[slash+1:])
}

// isFileName reports whether s is a name with full stops: main.go, node.js, README.md, .gitignore, config.yaml. Versions,
// initials and abbreviations are none.
func isFileName(s string) bool {
	dot := strings.LastIndexByte(s, '.')
	if !prose.Only(s, "._-") || strings.Contains(s, "..") || dot < 0 || strings.IndexByte(".-", s[len(s)-1]) >= 0 {
		return false
	}
	first, last := s[:strings.IndexByte(s, '.')], s[dot+1:]
	switch {
	case first == "": // .gitignore
		return dot == 0 && len(last) > 1 && !digit(last[0])
	case isNumbering(first) || isAbbreviation(s):
		return false
	case len(last) > 1 && spelledNames[strings.ToLower(last)]:
		return true
	case digit(last[0]):
		return strings.Contains(s, "_")
	}
	return lower(last[0]) && !prose.IsTitle(strings.ToLower(first)) && !prose.IsAmbiguous(strings.ToLower(s))
}

// isAbbreviation reports whether a name with full stops is an abbreviation.
func isAbbreviation(s string) bool {
	return isTitleOfStudy(s) || halfOfDay.MatchString(s) || longestLabel(s) < 2 || prose.IsMidSentence(strings.ToLower(s))
}

// isNumbering reports whether the first label of a name is a number, a version such as v2, or the e or i of e.g. and i.e.
func isNumbering(label string) bool {
	version := label[0] == 'v' && len(label) > 1 && digit(label[1])
	return version || strings.Trim(label, "0123456789-") == "" || strings.EqualFold(label, "e") || strings.EqualFold(label, "i")
}

// halfOfDay matches a time without its last full stop: 9a.m
var halfOfDay = regexp.MustCompile(`(?i)^\d+[ap]\.m$`)

// isTitleOfStudy reports whether s is the plural of an abbreviation such as Ph.D.s and Ed.D.s.
func isTitleOfStudy(s string) bool {
	letters, plural := strings.CutSuffix(s, ".s")
	for label := range strings.SplitSeq(letters, ".") {
		if len(label) == 0 || len(label) > 2 || !upper(label[0]) {
			return false
		}
	}
	return plural
}

// longestLabel returns the length of the longest label between full stops.
func longestLabel(s string) int {
	longest := 0
	for label := range strings.SplitSeq(s, ".") {
		longest = max(longest, len(label))
	}
	return longest
}

// addressWords returns the words of the letters, digits and marks of an address.
func addressWords(s string) string {
	var words []string
	for i := 0; i < len(s); {
		start := i
		for i < len(s) && digit(s[i]) {
			i++
		}
		if i > start {
			words = append(words, model(s[start:i]))
			continue
		}
		for i < len(s) && letter(s[i]) {
			i++
		}
		if i > start {
			words = append(words, nameWords(s[start:i]))
			continue
		}
		if mark := markNames[s[i]]; mark != "" {
			words = append(words, mark)
		}
		i++
	}
	return strings.Join(words, " ")
}

// nameWords returns the words of a name in an address.
func nameWords(name string) string {
	if spelledNames[name] || name == "a" {
		return spell(name)
	}
	return joinCamelCase(name)
}

// spelledNames are the endings of files and hosts that are spelled.
var spelledNames = setOf("www io ai uk de fr eu tv ca ch nl jp ru br au nz gg xyz html htm css js ts md txt pdf jpg png svg mp csv " +
	"tsv xml sql sh py rb rs cpp php docx xlsx ppt exe dll gz tgz ini cfg yml tmp tsx jsx http https api url id usb usa bbc " +
	"cnn srt vtt")

// markNames are the words of the marks of addresses.
var markNames = map[byte]string{
	'.': "dot", '/': "slash", '\\': "backslash", '-': "dash", '_': "underscore", ':': "colon", '@': "at", '?': "question mark",
	'=': "equals", '&': "and", '#': "hash", '%': "percent", '+': "plus", '~': "tilde",
}

// element reads the name of an element that is no markup, such as <script> and </script>. end is where the < ends.
func (n *signs) element(end int) bool {
	if n.byteAt(end) == '/' {
		end++
	}
	last := n.letters(end)
	if last == end || n.byteAt(last) != '>' {
		return false
	}
	if before, _ := utf8.DecodeLastRune(n.out); len(n.out) > 0 && !unicode.IsSpace(before) && !prose.IsOpening(before) {
		n.out = append(n.out, ' ')
	}
	n.say(n.s[end:last], last+1)
	return true
}

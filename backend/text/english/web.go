package english

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/text/internal/markup"
	"github.com/voicewright/voicewright/backend/text/internal/prose"
)

// whole reads what is one thing between white space: addresses of the web and of mail, handles, hashtags, files, paths.
func (n *normalizer) whole() bool {
	end := n.at
	marked := false
	for end < len(n.s) && !space(n.s[end]) {
		switch n.s[end] {
		case '@', '.', '/', '\\', '#', ':':
			marked = true
		}
		end++
	}
	start := n.at
	n.tokenEnd = end
	if !marked || end-start > markup.Longest {
		return false
	}
	for start < end && strings.IndexByte(`("'{`, n.s[start]) >= 0 {
		start++
	}
	token := strings.TrimRight(n.s[start:end], `.,;:!?'")}*`)
	if cut := strings.IndexAny(token, `'"`); cut >= 0 {
		token = token[:cut]
	}
	words := webWords(token)
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

// webWords reads a token of the web, empty where it is none.
func webWords(token string) string {
	if token == "" || strings.ContainsAny(token, "[]<>|\"") || !ascii(token) {
		return ""
	}
	bare := token
	for _, scheme := range [...]string{"https://", "http://", "ftp://", "mailto:"} {
		if cut, found := strings.CutPrefix(token, scheme); found && cut != "" {
			return signs(strings.TrimSuffix(cut, "/"))
		}
	}
	switch name, host, mail := strings.Cut(bare, "@"); {
	case mail && name == "" && identifier(host) && !digit(host[0]):
		return "at " + signs(host)
	case mail && name != "" && prose.IsHost(host) && !strings.ContainsAny(name, "/:\\"):
		return signs(bare)
	case mail:
		return ""
	}
	switch {
	case bare[0] == '#':
		if identifier(bare[1:]) && strings.Trim(bare[1:], "0123456789") != "" && !colour(bare) {
			return "hashtag " + signs(bare[1:])
		}
		if colour(bare) {
			return "hash " + characters(bare[1:])
		}
	case strings.HasPrefix(bare, "www."), prose.IsDomain(bare), path(bare), dottedName(bare):
		return signs(bare)
	}
	return ""
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func identifier(s string) bool { return prose.Only(s, "_") }

// colour reports #A1B2C3.
func colour(s string) bool {
	return len(s) == 7 && strings.Trim(s[1:], "0123456789abcdefABCDEF") == "" && strings.ContainsAny(s, "0123456789")
}

// path reports the path of a file: /usr/bin, ~/notes, C:\Users, src/main.go.
func path(s string) bool {
	switch {
	case len(s) > 3 && s[1:3] == `:\`:
		return true
	case strings.HasPrefix(s, "~/"), strings.HasPrefix(s, "./"), strings.HasPrefix(s, "../"):
		return prose.Only(s, "~./_-") && len(s) > 3
	case s[0] == '/':
		return len(s) > 2 && prose.Only(s, "./_-") && !digit(s[1])
	}
	slash := strings.LastIndexByte(s, '/')
	return slash > 0 && prose.Only(s, "./_-") && dottedName(s[slash+1:])
}

// dottedName reports names with dots in them: main.go, node.js, README.md, .gitignore, config.yaml.
func dottedName(s string) bool {
	if !prose.Only(s, "._-") || strings.Contains(s, "..") || s[len(s)-1] == '-' {
		return false
	}
	dot := strings.LastIndexByte(s, '.')
	if dot < 0 || dot == len(s)-1 {
		return false
	}
	first, last := s[:strings.IndexByte(s, '.')], s[dot+1:]
	if len(first) == 0 {
		return dot == 0 && len(last) > 1 && !digit(last[0])
	}
	if strings.Trim(first, "0123456789-") == "" || strings.ToLower(first) == "e" || strings.ToLower(first) == "i" {
		return false
	}
	longest := 0
	for label := range strings.SplitSeq(s, ".") {
		longest = max(longest, len(label))
	}
	if version := first[0] == 'v' && len(first) > 1 && digit(first[1]); longest < 2 || version || prose.IsMidSentence(strings.ToLower(s)) {
		return false
	}
	return lower(last[0]) && !prose.IsTitle(strings.ToLower(first)) && !prose.IsAmbiguous(strings.ToLower(s)) ||
		digit(last[0]) && strings.ContainsAny(s, "_") || spelledName(strings.ToLower(last)) != "" && len(last) > 1
}

// signs reads letters, digits and marks of an address.
func signs(s string) string {
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
		for i < len(s) && (lower(s[i]) || upper(s[i])) {
			i++
		}
		if i > start {
			words = append(words, webName(s[start:i]))
			continue
		}
		if mark := markName(s[i]); mark != "" {
			words = append(words, mark)
		}
		i++
	}
	return strings.Join(words, " ")
}

// webName reads a word in an address.
func webName(word string) string {
	if spelled := spelledName(word); spelled != "" {
		return spelled
	}
	parts := camel(word)
	for i, part := range parts {
		if spelled, ok := acronym(part); ok {
			parts[i] = spelled
		}
	}
	return strings.Join(parts, " ")
}

// spelledName spells the endings of files and hosts that are no words.
func spelledName(name string) string {
	switch name {
	case "www", "io", "ai", "uk", "de", "fr", "eu", "tv", "ca", "ch", "nl", "jp", "ru", "br", "au", "nz", "gg", "xyz", "html", "htm",
		"css", "js", "ts", "md", "txt", "pdf", "jpg", "png", "svg", "mp", "csv", "tsv", "xml", "sql", "sh", "py", "rb", "rs", "cpp",
		"php", "docx", "xlsx", "ppt", "exe", "dll", "gz", "tgz", "ini", "cfg", "yml", "tmp", "tsx", "jsx", "http", "https",
		"api", "url", "id", "usb", "usa", "bbc", "cnn", "srt", "vtt":
		return characters(name)
	}
	return ""
}

// markName names the marks of addresses.
func markName(c byte) string {
	switch c {
	case '.':
		return "dot"
	case '/':
		return "slash"
	case '\\':
		return "backslash"
	case '-':
		return "dash"
	case '_':
		return "underscore"
	case ':':
		return "colon"
	case '@':
		return "at"
	case '?':
		return "question mark"
	case '=':
		return "equals"
	case '&':
		return "and"
	case '#':
		return "hash"
	case '%':
		return "percent"
	case '+':
		return "plus"
	case '~':
		return "tilde"
	}
	return ""
}

// element reads the name alone of an element that is not markup, such as <script>, and of its end </script>; end is where
// the < ends.
func (n *normalizer) element(end int) bool {
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

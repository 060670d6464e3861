package markup

import (
	"strings"
	"time"
)

// readElement returns the tag of SSML (W3C Speech Synthesis Markup Language 1.1) or simple HTML, the comment or the
// processing instruction that s begins with. Only known elements are markup, so that <int> or <your name> stay text.
func readElement(s string) (Markup, bool) {
	if m, ok := readComment(s); ok {
		return m, true
	}
	at := 1
	if s[at] == '/' {
		at++
	}
	end := at + nameLength(s[at:])
	name := strings.ToLower(s[at:end])
	kind := elementKind(name)
	if kind == 0 {
		return Markup{}, false
	}
	attributes, size, ok := readAttributes(s[end:])
	if !ok {
		return Markup{}, false
	}
	m := Markup{Kind: kind, Name: name, Size: end + size}
	switch {
	case kind != Pause:
	case s[1] == '/':
		m.Kind = Inline
	default:
		m.Pause, ok = breakLength(attributes["time"], attributes["strength"])
		if !ok {
			m.Kind = Expression
		}
		m.shorten()
	}
	return m, true
}

// readComment returns the <!-- -->, <!DOCTYPE > or <? ?> that s begins with.
func readComment(s string) (Markup, bool) {
	end := ""
	switch {
	case strings.HasPrefix(s, "<!--"):
		end = "-->"
	case strings.HasPrefix(s, "<?xml"):
		end = "?>"
	case strings.HasPrefix(s, "<!DOCTYPE "):
		end = ">"
	default:
		return Markup{}, false
	}
	i := strings.Index(s, end)
	return Markup{Kind: Inline, Size: i + len(end)}, i > 0
}

// nameLength returns the length of the XML name that s begins with.
func nameLength(s string) int {
	for i := range len(s) {
		c := s[i] | 0x20
		if letter := c >= 'a' && c <= 'z'; !letter && (i == 0 || !strings.ContainsRune("0123456789:_-.", rune(s[i]))) {
			return i
		}
	}
	return len(s)
}

// readAttributes returns the name="value" pairs of a tag and the length of s up to its end.
func readAttributes(s string) (attributes map[string]string, size int, ok bool) {
	at := 0
	for {
		remaining := strings.TrimLeft(s[at:], " \t\r\n")
		spaced := len(remaining) < len(s[at:])
		at = len(s) - len(remaining)
		switch {
		case strings.HasPrefix(remaining, ">"):
			return attributes, at + 1, true
		case strings.HasPrefix(remaining, "/>"):
			return attributes, at + 2, true
		}
		n := nameLength(remaining)
		if n == 0 || !spaced || len(remaining) < n+3 || remaining[n] != '=' || remaining[n+1] != '"' && remaining[n+1] != '\'' {
			return nil, 0, false
		}
		value := strings.IndexByte(remaining[n+2:], remaining[n+1])
		if value < 0 {
			return nil, 0, false
		}
		if attributes == nil {
			attributes = map[string]string{}
		}
		attributes[strings.ToLower(remaining[:n])] = remaining[n+2 : n+2+value]
		at += n + 2 + value + 1
	}
}

// elementKind returns the kind of an element, 0 for unknown ones.
func elementKind(name string) Kind {
	switch name {
	case "break":
		return Pause
	case "speak", "p", "s", "paragraph", "sentence", "br", "hr", "div", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6",
		"blockquote", "html", "head", "body", "tr", "td", "th", "table", "pre", "details", "summary":
		return Block
	case "voice", "prosody", "emphasis", "say-as", "phoneme", "sub", "audio", "desc", "mark", "lang", "lexicon", "lookup",
		"meta", "metadata", "token", "w", "par", "seq", "media", "effect",
		"b", "i", "u", "em", "strong", "small", "span", "a", "sup", "code", "tt", "del", "ins", "kbd", "samp", "img":
		return Inline
	}
	switch vendor, _, found := strings.Cut(name, ":"); {
	case found && (vendor == "amazon" || vendor == "mstts" || vendor == "google" || vendor == "ssml"):
		return Inline
	}
	return 0
}

// breakLength returns the pause of a <break/>. SSML does not define the strengths; they are typical pauses of readers. ok is
// false if the length cannot be read.
func breakLength(length, strength string) (pause time.Duration, ok bool) {
	if length != "" {
		return readLength(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(length)), "+"))
	}
	switch strength {
	case "none":
		return 0, true
	case "x-weak":
		return 100 * time.Millisecond, true
	case "weak":
		return 250 * time.Millisecond, true
	case "strong":
		return 750 * time.Millisecond, true
	case "x-strong":
		return time.Second, true
	}
	return defaultPause, true
}

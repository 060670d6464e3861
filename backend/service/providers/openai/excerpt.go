package openai

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"
)

const (
	maxExcerptRead = 4 << 10 // bytes read of the body of an error
	maxExcerpt     = 300     // characters of it in an error
	minSecret      = 3       // bytes; shorter words tell nothing of a text
	shared         = 4       // bytes in a row of a text that show it in a longer word
)

var (
	unicodeEscapes = regexp.MustCompile(`(\\+u[0-9a-fA-F]{4})+`)
	otherEscapes   = regexp.MustCompile(`\\+[abfnrtv"'/]?`)
	percentEscapes = regexp.MustCompile(`(%[0-9a-fA-F]{2})+`)
	words          = regexp.MustCompile(`[\p{L}\p{M}\p{N}_-]+`)
)

// excerpt returns the start of a body on one line. Words that share letters with one of the secrets are left out: a server may repeat
// the text or the key in its message, also escaped once or more, and neither may reach the log.
func excerpt(body string, secrets ...string) string {
	body = unescaped(strings.ToValidUTF8(body, "?"))
	known := map[string]bool{}
	secret := folded(strings.Join(secrets, "\n"))
	for end := shared; end <= len(secret); end++ {
		known[secret[end-shared:end]] = true
	}
	body = words.ReplaceAllStringFunc(norm.NFKC.String(body), func(word string) string {
		if isSecret(folded(word), known, secret) {
			return "…"
		}
		return word
	})
	body = strings.Join(strings.FieldsFunc(body, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if runes := []rune(body); len(runes) > maxExcerpt {
		body = string(runes[:maxExcerpt]) + "…"
	}
	return body
}

// isSecret reports whether a word is part of a secret, or has one of the known parts of it.
func isSecret(word string, known map[string]bool, secret string) bool {
	for end := shared; end <= len(word); end++ {
		if known[word[end-shared:end]] {
			return true
		}
	}
	return len(word) >= minSecret && strings.Contains(secret, word)
}

// folded returns a text without differences of case and of composed characters.
func folded(text string) string { return norm.NFKC.String(strings.ToLower(norm.NFKC.String(text))) }

// unescaped returns a body without the escapes of JSON, however often it was quoted, and without those of addresses.
func unescaped(body string) string {
	body = unicodeEscapes.ReplaceAllStringFunc(body, func(escapes string) string {
		var units []uint16
		for _, digits := range strings.Split(escapes, "u")[1:] {
			n, _ := strconv.ParseUint(strings.TrimRight(digits, `\`), 16, 16) // the pattern has hexadecimal digits only
			units = append(units, uint16(n))
		}
		return string(utf16.Decode(units))
	})
	body = percentEscapes.ReplaceAllStringFunc(body, func(escapes string) string {
		decoded, _ := url.PathUnescape(escapes) // the pattern has valid ones only
		return strings.ToValidUTF8(decoded, "?")
	})
	return otherEscapes.ReplaceAllString(body, " ")
}

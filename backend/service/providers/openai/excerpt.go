package openai

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

const (
	maxExcerptRead = 4 << 10 // bytes read of the body of an error
	maxExcerpt     = 300     // characters of it in an error
	minSecret      = 3       // bytes; shorter words tell nothing of a text
)

var (
	unicodeEscapes = regexp.MustCompile(`\\u[0-9a-fA-F]{4}`)
	words          = regexp.MustCompile(`[\p{L}\p{M}\p{N}_-]+`)
)

// excerpt returns the start of a body on one line. Words that are part of one of the secrets are left out: a server may repeat
// the text or the key in its message, and neither may reach the log.
func excerpt(body string, secrets ...string) string {
	body = unicodeEscapes.ReplaceAllStringFunc(strings.ToValidUTF8(body, "?"), func(escape string) string {
		n, err := strconv.ParseUint(escape[2:], 16, 16)
		if err != nil {
			return escape
		}
		return string(rune(n))
	})
	body = words.ReplaceAllStringFunc(body, func(word string) string {
		for _, secret := range secrets {
			if len(word) >= minSecret && strings.Contains(strings.ToLower(secret), strings.ToLower(word)) {
				return "…"
			}
		}
		return word
	})
	body = strings.Join(strings.FieldsFunc(body, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if runes := []rune(body); len(runes) > maxExcerpt {
		body = string(runes[:maxExcerpt]) + "…"
	}
	return body
}

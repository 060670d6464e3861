package backend

import (
	"errors"
	"strings"

	"golang.org/x/text/language"
)

// maxLanguageTag is the length of a language tag in bytes that always suffices (RFC 5646, section 4.4.1).
const maxLanguageTag = 35

// CanonicalLanguage returns a BCP 47 tag as the standard writes it: pt_BR and PT-br become pt-BR. A tag with subtags that
// are not registered keeps their case. ok is false for anything that is no tag.
func CanonicalLanguage(s string) (tag string, ok bool) {
	s = strings.ReplaceAll(strings.TrimSpace(s), "_", "-")
	if len(s) > maxLanguageTag {
		return "", false
	}
	parsed, err := language.Raw.Parse(s)
	var unknown language.ValueError
	switch {
	case err == nil:
		return parsed.String(), true
	case errors.As(err, &unknown):
		return s, true
	default:
		return "", false
	}
}

// KnownLanguage reports whether s is a BCP 47 tag whose subtags are all registered.
func KnownLanguage(s string) bool {
	_, err := language.Raw.Parse(s)
	return err == nil
}

// LanguageKey returns what all spellings of a tag have in common: lower case, with hyphens.
func LanguageKey(tag string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimSpace(tag), "_", "-"))
}

// MatchesLanguage reports whether a tag is the wanted language or a kind of it (RFC 4647, basic filtering): en matches
// en-GB. An empty wanted language matches all.
func MatchesLanguage(tag, wanted string) bool {
	tag, wanted = LanguageKey(tag), LanguageKey(wanted)
	return wanted == "" || tag == wanted || strings.HasPrefix(tag, wanted+"-")
}

// BaseLanguage returns the first subtag in lower case: pt for pt_BR.
func BaseLanguage(tag string) string {
	base, _, _ := strings.Cut(LanguageKey(tag), "-")
	return base
}

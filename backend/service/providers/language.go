package providers

import (
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/voicewright/voicewright/backend"
)

// Language returns the short code of a language tag: en of en-GB.
func Language(tag string) string { return backend.BaseLanguage(tag) }

// Accent returns the English name of the region that a language tag has, such as United Kingdom; empty without one.
func Accent(tag string) string {
	parsed, err := language.Raw.Parse(backend.LanguageKey(tag))
	if err != nil {
		return ""
	}
	_, _, region := parsed.Raw()
	if region.String() == "ZZ" {
		return ""
	}
	return display.English.Regions().Name(region)
}

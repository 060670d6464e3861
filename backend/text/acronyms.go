package text

import "github.com/voicewright/voicewright/backend/text/english"

// Acronym reports whether a word in capitals is an acronym of which it is known how it is read, as a word or letter by letter.
func Acronym(word string) bool { return english.Acronym(word) }

// Package backend is the domain of Voicewright: the types that every package shares (profiles,
// generations, models, settings), the errors with their codes, and the state tables.
// It imports the standard library, and golang.org/x/text/language for language tags.
package backend

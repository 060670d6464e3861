// Package backend is the domain of Voicewright: the types that every room shares (profiles,
// generations, models, settings), the errors with their codes, and the state tables.
// It imports the standard library only.
package backend

// Package espeak is the built-in voice and the phonemizer of other engines, by the espeak-ng command.
// espeak-ng is GPL-3, so it runs as a separate process and is never linked.
// Text goes in by standard input only, never by an argument.
package espeak

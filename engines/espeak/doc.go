// Package espeak runs the espeak-ng command: as the built-in voice, and as the phonemizer of other engines. espeak-ng is
// GPL-3, so it runs as a separate process and is never linked. Text is passed by standard input only, never as an argument.
package espeak

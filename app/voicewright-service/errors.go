package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
)

// The exit codes (docs/contract/decisions.md section 1).
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitNotFound    = 3
	exitNeeded      = 4 // something that the command cannot get by itself is missing
	exitInterrupted = 130
)

// exitError is an error with an exit code of its own.
type exitError struct {
	code int
	error
}

func (e exitError) Unwrap() error { return e.error }

// usagef returns an error for a wrong use of the command line or a wrong setting.
func usagef(format string, args ...any) error {
	return exitError{exitUsage, fmt.Errorf(format, args...)}
}

// notFoundf returns an error for something that the command line names and that does not exist.
func notFoundf(format string, args ...any) error {
	return exitError{exitNotFound, fmt.Errorf(format, args...)}
}

// printError prints an error as sentences, and returns the exit code.
func (p *program) printError(ctx context.Context, err error) int {
	var known exitError
	var described *backend.Error
	text, code := err.Error(), exitFailed
	switch {
	case ctx.Err() != nil:
		text, code = "Stopped.", exitInterrupted
	case errors.As(err, &known):
		code = known.code
	case errors.As(err, &described):
		text = described.Detail + " " + described.Remedy
	case strings.HasPrefix(text, "unknown command"):
		text, code = text+"; see --help", exitUsage
	}
	_, _ = fmt.Fprintln(p.err, sentenceOf(strings.TrimSpace(text))) // there is nowhere else to report a failure
	return code
}

// sentenceOf adds a capital letter and a full stop to a message. Names of options and files stay as they are.
func sentenceOf(s string) string {
	word, _, _ := strings.Cut(s, " ")
	if !strings.ContainsAny(word, "-./_:") {
		first, size := utf8.DecodeRuneInString(s)
		s = string(unicode.ToUpper(first)) + s[size:]
	}
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/voicewright/voicewright/app/voicewright-service/database"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/exit"
	"github.com/voicewright/voicewright/backend/printable"
)

// exitError is an error with an exit code of its own.
type exitError struct {
	code int
	error
}

func (e exitError) Unwrap() error { return e.error }

// usagef returns an error for a wrong use of the command line or a wrong setting.
func usagef(format string, args ...any) error {
	return exitError{exit.Usage, fmt.Errorf(format, args...)}
}

// notFoundf returns an error for something that the command line names and that does not exist.
func notFoundf(format string, args ...any) error {
	return exitError{exit.NotFound, fmt.Errorf(format, args...)}
}

// sentenceOf returns what an error says, without a full stop, for a place inside a sentence.
func sentenceOf(err error) string {
	text := err.Error()
	var described *backend.Error
	if errors.As(err, &described) {
		text = described.Detail
	}
	return strings.TrimSuffix(text, ".")
}

// printError prints an error as sentences, and returns the exit code.
func (p *program) printError(ctx context.Context, err error) int {
	var known exitError
	var stored *database.Error
	var described *backend.Error
	text, code := err.Error(), exit.Failed
	switch {
	case ctx.Err() != nil:
		text, code = "Stopped.", exit.Interrupted
	case errors.As(err, &known):
		code = known.code
	case errors.As(err, &stored):
		code = stored.Exit
	case errors.As(err, &described):
		text, code = described.Detail+" "+described.Remedy, exit.CodeOf(described.Code)
	case strings.HasPrefix(text, "unknown command"):
		text, code = text+"; see --help", exit.Usage
	}
	_, _ = fmt.Fprintln(p.err, printable.SentenceAbout(strings.TrimSpace(text))) // there is nowhere else to report a failure
	return code
}

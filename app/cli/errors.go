package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/exit"
	"github.com/voicewright/voicewright/backend/printable"
)

// usageError is a wrong use of the command line.
type usageError struct {
	command string // where the message begins with its name, which keeps its lower case
	message string
}

func (e usageError) Error() string { return strings.TrimSpace(e.command + " " + e.message) }

// Usagef returns an error for a wrong use of the command line.
func Usagef(format string, args ...any) error {
	return usageError{message: fmt.Sprintf(format, args...)}
}

// commandUsagef returns an error for a wrong use of a command, whose message begins with the command as it is typed behind the
// name of the program.
func commandUsagef(cmd *cobra.Command, format string, args ...any) error {
	name := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
	return usageError{command: name, message: fmt.Sprintf(format, args...)}
}

// misuseError is a wrong use of the command line with a sentence and a remedy of its own.
type misuseError struct{ error }

func (e misuseError) Unwrap() error { return e.error }

// neededError is an error about something that a command needs and cannot get by itself.
type neededError struct{ error }

func (e neededError) Unwrap() error { return e.error }

// printError prints an error as one sentence and its remedy, and returns the exit code. On a terminal they are one line, as they may
// hold the name of a file.
func (p *program) printError(ctx context.Context, err error) int {
	sentence, remedy, code := describeError(ctx, err)
	text := strings.TrimSpace(sentence + " " + remedy)
	if isTerminal(p.io.Err) {
		text = visibleCell(text)
	}
	p.notef("%s", text)
	return code
}

func describeError(ctx context.Context, err error) (sentence, remedy string, code int) {
	var use usageError
	var invalid *backend.ValidationError
	var known *backend.Error
	var network *net.OpError
	var needed neededError
	var misuse misuseError
	var stopped *stoppedError
	switch {
	case ctx.Err() != nil && errors.As(err, &stopped):
		return printable.Sentence(stopped.Error()), stopped.remedy(), exit.Interrupted
	case ctx.Err() != nil:
		return "Stopped.", "", exit.Interrupted
	case errors.As(err, &needed):
		sentence, remedy, _ = describeError(ctx, needed.error)
		return sentence, remedy, exit.Needed
	case errors.As(err, &misuse):
		sentence, remedy, _ = describeError(ctx, misuse.error)
		return sentence, remedy, exit.Usage
	case errors.As(err, &use):
		if use.command != "" {
			return use.Error() + ".", "See --help.", exit.Usage
		}
		return printable.Sentence(use.message), "See --help.", exit.Usage
	case errors.As(err, &invalid) && len(invalid.Fields) > 0:
		f := invalid.Fields[0]
		if text, ok := folderErrors[f.Type]; ok {
			return text.title, text.remedy, exit.Usage
		}
		return printable.Sentence(f.Loc[len(f.Loc)-1] + ": " + strings.TrimPrefix(f.Msg, "Value error, ")), "", exit.Usage
	case errors.As(err, &known):
		return known.Detail, known.Remedy, exit.CodeOf(known.Code)
	case errors.As(err, &network):
		return "The server is not responding.", "Restart it with voicewright serve.", exit.Failed
	case strings.HasPrefix(err.Error(), "unknown command"), strings.HasPrefix(err.Error(), "unknown flag"):
		return printable.Sentence(err.Error()), "See --help.", exit.Usage
	default:
		return printable.Sentence(err.Error()), "", exit.Failed
	}
}

// inputError returns the error of reading a file that the user named. Errors: not_found, those of backend.FileError.
func inputError(path string, err error) error {
	switch {
	case errors.Is(err, os.ErrNotExist):
		return backend.E(backend.CodeNotFound, "There is no file "+path+".", "Check the name.").WithCause(err)
	case errors.Is(err, syscall.EISDIR):
		return Usagef("%s is a folder; name a file in it", path)
	}
	return backend.FileError("read the file", path, err)
}

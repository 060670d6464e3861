package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/backend"
)

// The exit codes (decisions.md section 1).
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitNotFound    = 3
	exitNeeded      = 4 // something that the command cannot get by itself is missing
	exitInterrupted = 130
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
		return sentenceOf(stopped.Error()), stopped.remedy(), exitInterrupted
	case ctx.Err() != nil:
		return "Stopped.", "", exitInterrupted
	case errors.As(err, &needed):
		sentence, remedy, _ = describeError(ctx, needed.error)
		return sentence, remedy, exitNeeded
	case errors.As(err, &misuse):
		sentence, remedy, _ = describeError(ctx, misuse.error)
		return sentence, remedy, exitUsage
	case errors.As(err, &use):
		if use.command != "" {
			return use.Error() + ".", "See --help.", exitUsage
		}
		return sentenceOf(use.message), "See --help.", exitUsage
	case errors.As(err, &invalid) && len(invalid.Fields) > 0:
		f := invalid.Fields[0]
		if text, ok := folderErrors[f.Type]; ok {
			return text.title, text.remedy, exitUsage
		}
		return sentenceOf(f.Loc[len(f.Loc)-1] + ": " + strings.TrimPrefix(f.Msg, "Value error, ")), "", exitUsage
	case errors.As(err, &known):
		return known.Detail, known.Remedy, exitCode(known.Code)
	case errors.As(err, &network):
		return "The server is not responding.", "Restart it with voicewright serve.", exitFailed
	case strings.HasPrefix(err.Error(), "unknown command"), strings.HasPrefix(err.Error(), "unknown flag"):
		return sentenceOf(err.Error()), "See --help.", exitUsage
	default:
		return sentenceOf(err.Error()), "", exitFailed
	}
}

// sentenceOf adds a capital letter and a full stop to a message.
func sentenceOf(s string) string {
	if s == "" {
		return s
	}
	first, size := utf8.DecodeRuneInString(s)
	s = string(unicode.ToUpper(first)) + s[size:]
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

func exitCode(code backend.Code) int {
	switch code {
	case backend.CodeProfileNotFound, backend.CodeGenerationNotFound, backend.CodeModelUnknown, backend.CodeNotFound,
		backend.CodeAudioMissing, backend.CodeDraftNotFound, backend.CodeWordNotFound, backend.CodeScriptNotFound,
		backend.CodeTranscriptNotFound, backend.CodeHostedVoiceNotFound, backend.CodeHostedModelUnknown, backend.CodeSampleNotFound,
		backend.CodeSampleUnavailable:
		return exitNotFound
	case backend.CodeNothingToSpeak:
		return exitUsage
	case backend.CodeRuntimeMissing, backend.CodeHostedNotConfigured, backend.CodeLicenseNotAccepted, backend.CodeOffline,
		backend.CodeHubGated, backend.CodeNoAudioDevice, backend.CodeHostedNotSignedIn, backend.CodeHostedConfirm,
		backend.CodeSecretsUnavailable, backend.CodeSecretNotFound:
		return exitNeeded
	default:
		return exitFailed
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

package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/voicewright/voicewright/backend"
)

// usageError is a wrong use of the command line.
type usageError struct{ message string }

func (e usageError) Error() string { return e.message }

// Usagef returns an error for a wrong use of the command line, such as a flag that does not parse.
func Usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usagef("%s takes no argument %q", cmd.CommandPath(), args[0])
	}
	return nil
}

// exactArgs wants n arguments, named for the message.
func exactArgs(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != len(names) {
			return Usagef("%s needs: %s", cmd.CommandPath(), strings.Join(names, " "))
		}
		return nil
	}
}

// someArgs wants at least one argument.
func someArgs(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return Usagef("%s needs: %s", cmd.CommandPath(), name)
		}
		return nil
	}
}

// explain prints an error as one sentence and its remedy, and gives the exit code.
func (p *program) explain(ctx context.Context, err error) int {
	sentence, remedy, code := p.words(ctx, err)
	if code == exitInterrupted {
		p.complain("Stopped.")
		return code
	}
	p.complain(strings.TrimSpace(sentence + " " + remedy))
	return code
}

func (p *program) complain(line string) { _, _ = fmt.Fprintln(p.io.Err, line) } // nowhere else to say it

func (p *program) words(ctx context.Context, err error) (sentence, remedy string, code int) {
	var use usageError
	var invalid *backend.ValidationError
	var known *backend.Error
	var dial *net.OpError
	switch {
	case ctx.Err() != nil:
		return "", "", exitInterrupted
	case errors.As(err, &use):
		return sentenceOf(use.message), "See --help.", exitUsage
	case errors.As(err, &invalid) && len(invalid.Fields) > 0:
		f := invalid.Fields[0]
		return sentenceOf(f.Loc[len(f.Loc)-1] + ": " + strings.TrimPrefix(f.Msg, "Value error, ")), "", exitUsage
	case errors.As(err, &known):
		return known.Detail, known.Remedy, exitCode(known.Code)
	case errors.As(err, &dial):
		return "The server does not answer.", "Start it again with voicewright serve.", exitFailed
	case strings.HasPrefix(err.Error(), "unknown command"), strings.HasPrefix(err.Error(), "unknown flag"):
		return sentenceOf(err.Error()), "See --help.", exitUsage
	default:
		return sentenceOf(err.Error()), "", exitFailed
	}
}

// sentenceOf gives a message a capital letter and a full stop.
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
		backend.CodeAudioMissing, backend.CodeDraftNotFound, backend.CodeWordNotFound, backend.CodeScriptNotFound:
		return exitNotFound
	case backend.CodeNothingToSpeak:
		return exitUsage
	case backend.CodeRuntimeMissing, backend.CodeHostedNotConfigured, backend.CodeLicenseNotAccepted, backend.CodeOffline,
		backend.CodeHubGated, backend.CodeNoAudioDevice:
		return exitNeeded
	default:
		return exitFailed
	}
}

// checkFolder reports a file that a user named in a folder that does not exist.
func checkFolder(out string) error {
	dir := filepath.Dir(out)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return Usagef("there is no folder %s", dir)
	}
	return nil
}

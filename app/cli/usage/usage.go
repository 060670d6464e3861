// Package usage says what is wrong with a command line: its arguments, and the files and folders that it names.
package usage

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// Error is a wrong use of the command line.
type Error struct {
	Command string // where the message begins with its name, which keeps its lower case
	Message string
}

// Error returns the sentence, which begins with the command.
func (e Error) Error() string { return strings.TrimSpace(e.Command + " " + e.Message) }

// Errorf returns an error for a wrong use of the command line.
func Errorf(format string, args ...any) error {
	return Error{Message: fmt.Sprintf(format, args...)}
}

// CommandErrorf returns an error for a wrong use of a command, whose message begins with the command as it is typed behind the
// name of the program.
func CommandErrorf(cmd *cobra.Command, format string, args ...any) error {
	name := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
	return Error{Command: name, Message: fmt.Sprintf(format, args...)}
}

// MisuseError is a wrong use of the command line with a sentence and a remedy of its own.
type MisuseError struct{ error }

// Unwrap returns the error with the sentence.
func (e MisuseError) Unwrap() error { return e.error }

// Misuse returns err as a wrong use of the command line.
func Misuse(err error) error { return MisuseError{err} }

// NeededError is an error about something that a command needs and cannot get by itself.
type NeededError struct{ error }

// Unwrap returns the error with the sentence.
func (e NeededError) Unwrap() error { return e.error }

// Needs returns err as one about something that a command needs.
func Needs(err error) error { return NeededError{err} }

// NoArgs refuses arguments.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return CommandErrorf(cmd, "takes no argument %q", args[0])
	}
	return nil
}

// ExactArgs requires one argument for each name.
func ExactArgs(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return CommandErrorf(cmd, "needs %s", WithArticles(names))
		case len(args) > len(names):
			return TooManyArgs(cmd, names...)
		}
		return nil
	}
}

// TooManyArgs returns the error of a command with more arguments than it has names for.
func TooManyArgs(cmd *cobra.Command, names ...string) error {
	return CommandErrorf(cmd, "takes only %s; put what has blanks in quotes", WithArticles(names))
}

// SomeArgs requires at least one argument. name with its article is what the command needs, such as "an ID".
func SomeArgs(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return CommandErrorf(cmd, "needs %s", name)
		}
		return nil
	}
}

// WithArticles returns names of arguments as a phrase, such as "a FILE and an ID".
func WithArticles(names []string) string {
	phrases := make([]string, len(names))
	for i, name := range names {
		article := "a "
		if strings.ContainsRune("AEIOU", rune(name[0])) {
			article = "an "
		}
		phrases[i] = article + name
	}
	return strings.Join(phrases, " and ")
}

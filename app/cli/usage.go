package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// usageError is a wrong use of the command line.
type usageError struct {
	command string // where the message begins with its name, which keeps its lower case
	message string
}

// Error returns the sentence, which begins with the command.
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

// Unwrap returns the error with the sentence.
func (e misuseError) Unwrap() error { return e.error }

// misuse returns err as a wrong use of the command line.
func misuse(err error) error { return misuseError{err} }

// neededError is an error about something that a command needs and cannot get by itself.
type neededError struct{ error }

// Unwrap returns the error with the sentence.
func (e neededError) Unwrap() error { return e.error }

// needs returns err as one about something that a command needs.
func needs(err error) error { return neededError{err} }

// noArgs refuses arguments.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return commandUsagef(cmd, "takes no argument %q", args[0])
	}
	return nil
}

// exactArgs requires one argument for each name.
func exactArgs(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < len(names):
			return commandUsagef(cmd, "needs %s", withArticles(names))
		case len(args) > len(names):
			return tooManyArgs(cmd, names...)
		}
		return nil
	}
}

// tooManyArgs returns the error of a command with more arguments than it has names for.
func tooManyArgs(cmd *cobra.Command, names ...string) error {
	return commandUsagef(cmd, "takes only %s; put what has blanks in quotes", withArticles(names))
}

// someArgs requires at least one argument. name with its article is what the command needs, such as "an ID".
func someArgs(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return commandUsagef(cmd, "needs %s", name)
		}
		return nil
	}
}

// withArticles returns names of arguments as a phrase, such as "a FILE and an ID".
func withArticles(names []string) string {
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

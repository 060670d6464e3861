package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/exit"
)

// TestManual finds every command with its flags in the manual page, and each where a shell completes it.
func TestManual(t *testing.T) {
	code, page, errs := runWith(t, App{Version: "1.2.3"}, "manual")
	require.Equal(t, exit.Done, code, errs)
	require.Contains(t, page, `"voicewright 1.2.3"`)

	root := (&program{app: App{}}).root()
	eachCommand(root, func(cmd *cobra.Command) {
		path := strings.Fields(cmd.CommandPath())[1:]
		if !cmd.HasAvailableSubCommands() {
			require.Contains(t, page, `.SS "`+strings.ReplaceAll(cmd.CommandPath(), "-", `\-`)+`"`)
		}
		if cmd.HasParent() {
			require.Contains(t, complete(t, append(path[:len(path)-1:len(path)-1], "")), path[len(path)-1])
		}
		offered := complete(t, append(path, "--"))
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			require.Contains(t, offered, "--"+f.Name, cmd.CommandPath())
			if f.Name != "help" {
				require.Contains(t, page, `\fB`+strings.ReplaceAll("--"+f.Name, "-", `\-`)+`\fR`)
			}
		})
	})
}

// eachCommand calls f for a command and for those below it that are shown.
func eachCommand(cmd *cobra.Command, f func(*cobra.Command)) {
	f(cmd)
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" {
			eachCommand(sub, f)
		}
	}
}

// complete returns what a shell offers for the last word.
func complete(t *testing.T, words []string) []string {
	t.Helper()
	var out, errs bytes.Buffer
	code := Run(t.Context(), append([]string{"__completeNoDesc"}, words...), Stdio{In: &bytes.Buffer{}, Out: &out, Err: &errs}, App{})
	require.Equal(t, exit.Done, code, errs.String())
	return strings.Split(out.String(), "\n")
}

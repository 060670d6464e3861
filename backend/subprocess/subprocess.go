// Package subprocess finds and prepares the programs that ours starts: none gets a variable with a secret, and none opens a terminal
// window.
package subprocess

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// toolVariables are what a command-line tool needs of our environment: where programs, libraries, data and temporary files
// are, and the language.
var toolVariables = []string{
	"PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "ESPEAK_DATA_PATH",
	"LANG", "LC_ALL", "LC_CTYPE",
}

// PassphraseVariable is the variable with the passphrase of the encrypted file for secrets.
const PassphraseVariable = "VOICEWRIGHT_PASSPHRASE" //nolint:gosec // a name

// secretVariables are the variables with secrets that this program reads.
var secretVariables = []string{PassphraseVariable, "VOICEWRIGHT_TOKEN", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"}

// Tool prepares a command-line tool such as ffmpeg, which is killed when ctx ends. Its environment is what such tools need
// and the given NAME=value pairs, which take precedence; other variables may hold secrets.
func Tool(ctx context.Context, env []string, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...) //nolint:forbidigo // the one place that may
	cmd.Env = append(environment(func(name string) bool { return slices.Contains(toolVariables, name) }), env...)
	withoutWindow(cmd)
	return cmd
}

// Desktop prepares a program of the desktop such as a file manager or a player, which may need any variable: it gets
// all but those with tokens.
func Desktop(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...) //nolint:forbidigo // the one place that may
	cmd.Env = environment(func(name string) bool { return !slices.Contains(secretVariables, name) })
	withoutWindow(cmd)
	return cmd
}

// environment returns the variables of this process whose upper-case name is wanted.
func environment(wanted func(name string) bool) []string {
	env := []string{} // nil would mean all of them
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); wanted(strings.ToUpper(name)) {
			env = append(env, pair)
		}
	}
	return env
}

package app_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"testing"

	"go.uber.org/goleak"
)

// The paths of the built program. watched has the race detector when the tests have it, for what runs on beside a test: servers, and
// commands that are interrupted. binary never has it, because commands that run to their end start hundreds of times, and would
// take four times as long to start.
var binary, watched string

// TestMain builds the program, with the build flags of the tests, so that little is compiled twice.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "voicewright-app-*")
	if err == nil {
		err = buildBoth(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "build the program:", err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(dir)
		os.Exit(code)
	}))
}

func buildBoth(dir string) error {
	binary = filepath.Join(dir, "voicewright")
	watched = binary
	args := []string{"build", "-buildvcs=false"}
	race := false
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "-race":
				race = s.Value == "true"
			case "-trimpath", "-tags":
				args = append(args, s.Key+"="+s.Value)
			}
		}
	}
	env := os.Environ()
	if race {
		watched = filepath.Join(dir, "watched")
		if err := build(env, append(args, "-race", "-o", watched)); err != nil {
			return err
		}
		env = append(env, "GOFLAGS=") // those of make are about the race detector
	}
	return build(env, append(args, "-o", binary))
}

func build(env, args []string) error {
	cmd := exec.CommandContext(context.Background(), "go", append(args, "github.com/voicewright/voicewright")...)
	cmd.Env = env
	output, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, output)
	}
	return err
}

// Package programtest builds the programs for tests that start them, and runs them.
package programtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime/debug"
)

// Module is the path of the module, which is also the package of the app.
const Module = "github.com/voicewright/voicewright"

// Folder is the environment variable with the absolute path of a folder of programs that were built before, so that all tests of
// a run share them: NAME without the race detector, and watched/NAME with it. Without the variable, tests build their own.
const Folder = "VOICEWRIGHT_TEST_PROGRAMS"

// Build returns the path of the program of a package, built without the race detector: it is for commands that run to their end,
// which start hundreds of times and would take four times as long to start. Without Folder it is built into dir, with the other
// flags of the tests, so that little is compiled twice.
func Build(dir, pkg string) (string, error) {
	args, race := flags()
	env := os.Environ()
	if race {
		env = append(env, "GOFLAGS=") // those of make are about the race detector
	}
	return find(path.Base(pkg), func(name string) (string, error) {
		program := filepath.Join(dir, name)
		return program, build(env, append(args, "-o", program, pkg))
	})
}

// BuildWatched is Build for what runs on beside a test: servers, and commands that are interrupted. The program has the race
// detector when the tests have it.
func BuildWatched(dir, pkg string) (string, error) {
	args, race := flags()
	if !race {
		return Build(dir, pkg)
	}
	return find(path.Join("watched", path.Base(pkg)), func(name string) (string, error) {
		program := filepath.Join(dir, name)
		return program, build(os.Environ(), append(args, "-race", "-o", program, pkg))
	})
}

// flags returns the arguments of go build that the tests were built with, but for -race, and whether they have that.
func flags() (args []string, race bool) {
	args = []string{"build", "-buildvcs=false"}
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
	return args, race
}

// find returns the path of the installed program, or one in Folder, or else what make builds.
func find(name string, make func(name string) (string, error)) (string, error) {
	if installed := os.Getenv(Program); installed != "" && path.Base(name) == path.Base(Module) {
		return installed, nil
	}
	folder := os.Getenv(Folder)
	if folder == "" {
		return make(name)
	}
	program := filepath.Join(folder, name)
	_, err := os.Stat(program) // Go runs the tests again when the program changes
	return program, err
}

func build(env, args []string) error {
	cmd := exec.CommandContext(context.Background(), "go", args...) //nolint:forbidigo // the compiler, in tests
	cmd.Env = env
	output, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, output)
	}
	return err
}

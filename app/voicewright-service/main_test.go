package main_test

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

// binary is the path of the built program.
var binary string

// TestMain builds the program once, with the build flags of the tests, so that little is compiled twice.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "voicewright-service-*")
	if err == nil {
		binary = filepath.Join(dir, "voicewright-service")
		err = buildPackage(binary, module+"/app/voicewright-service")
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

// buildPackage builds a program of this module.
func buildPackage(out, pkg string) error {
	args := []string{"build", "-o", out}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-race" || s.Key == "-trimpath" || s.Key == "-tags" {
				args = append(args, s.Key+"="+s.Value)
			}
		}
	}
	args = append(args, pkg)
	output, err := exec.CommandContext(context.Background(), "go", args...).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, output)
	}
	return err
}

package app_test

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/app/programtest"
)

// The paths of the built program: binary for commands that run to their end, watched, with the race detector when the tests have it,
// for what runs on beside a test.
var binary, watched string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "voicewright-app-*")
	if err == nil {
		binary, err = programtest.Build(dir, programtest.Module)
	}
	if err == nil {
		watched, err = programtest.BuildWatched(dir, programtest.Module)
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

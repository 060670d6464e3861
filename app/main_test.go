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

// programs is the folder for programs that the tests build.
var programs string

func TestMain(m *testing.M) {
	var err error
	programs, err = os.MkdirTemp("", "voicewright-app-*")
	if err == nil {
		binary, err = programtest.Build(programs, programtest.Module)
	}
	if err == nil {
		watched, err = programtest.BuildWatched(programs, programtest.Module)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "build the program:", err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(programs)
		os.Exit(code)
	}))
}

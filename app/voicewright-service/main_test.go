package main_test

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/app/programtest"
)

// buildDir is where programs are built that are not shared by all tests of a run.
var buildDir string

// The paths of the built program: binary for commands that run to their end, watched, with the race detector when the tests have it,
// for what runs on beside a test.
var binary, watched string

func TestMain(m *testing.M) {
	var err error
	if buildDir, err = os.MkdirTemp("", "voicewright-service-*"); err == nil {
		binary, err = programtest.Build(buildDir, module+"/app/voicewright-service")
	}
	if err == nil {
		watched, err = programtest.BuildWatched(buildDir, module+"/app/voicewright-service")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "build the program:", err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(buildDir)
		os.Exit(code)
	}))
}

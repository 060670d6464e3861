//go:build !desktop

package desktop

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// Open runs the window program beside this one until it ends; opened is false when there is none.
func Open(ctx context.Context, o Options) (opened bool, err error) {
	window, ok := windowProgram()
	if !ok {
		return false, nil
	}
	child := exec.CommandContext(ctx, window, o.LaunchArgs...) //nolint:forbidigo // our own program, which reads the tokens
	child.Stdout, child.Stderr = o.Out, o.Errors
	child.Cancel = func() error { return child.Process.Signal(os.Interrupt) } // it finishes its work first
	child.WaitDelay = ShutdownGrace + 5*time.Second
	return true, child.Run()
}

// windowProgram returns the path of the window program beside this one.
func windowProgram() (path string, ok bool) {
	self, err := os.Executable()
	if err != nil {
		return "", false
	}
	path = filepath.Join(filepath.Dir(self), "voicewright-desktop")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	_, err = os.Stat(path)
	return path, err == nil
}

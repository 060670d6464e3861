//go:build !desktop

package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/spf13/cobra"
)

// open starts the window program when it lies beside this one, else it prints the commands.
func (p *program) open(cmd *cobra.Command) error {
	self, err := os.Executable()
	if err != nil {
		return cmd.Help()
	}
	name := "voicewright-desktop"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	window := filepath.Join(filepath.Dir(self), name)
	if _, err := os.Stat(window); err != nil {
		return cmd.Help()
	}
	args := []string{"--data", p.data, "--log-level", p.logLevel}
	if p.models != "" {
		args = append(args, "--models", p.models)
	}
	child := exec.CommandContext(cmd.Context(), window, args...) //nolint:forbidigo // our own program, which reads the tokens
	child.Stdout, child.Stderr = p.io.Out, p.io.Err
	child.Cancel = func() error { return child.Process.Signal(os.Interrupt) } // it has work to end
	child.WaitDelay = shutdownGrace + 5*time.Second
	return child.Run()
}

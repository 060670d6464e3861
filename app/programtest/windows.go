package programtest

import (
	"os"
	"path/filepath"
	"strings"
)

// The environment variables of a run that tests an installed program instead of one that is built: its absolute path, what runs
// it here, such as wine, the folder of its drive C: and its installer, where it has one. A program with a runner is one for Windows.
const (
	Program   = "VOICEWRIGHT_TEST_PROGRAM"
	Runner    = "VOICEWRIGHT_TEST_RUNNER"
	DriveC    = "VOICEWRIGHT_TEST_DRIVE_C"
	Installer = "VOICEWRIGHT_TEST_INSTALLER"
)

// IsWindows reports whether the tested program is one for Windows.
func IsWindows() bool { return os.Getenv(Runner) != "" }

// runnerVariables are what wine needs of the environment.
var runnerVariables = []string{"WINEPREFIX", "WINEDEBUG", "WINEARCH", "WINEDLLOVERRIDES", "LC_ALL"}

// Path returns an absolute path of this machine as the tested program writes it.
func Path(path string) string {
	if !IsWindows() {
		return path
	}
	drive := "Z:"
	if inside, ok := strings.CutPrefix(path, os.Getenv(DriveC)); ok {
		drive, path = "C:", inside
	}
	return drive + strings.ReplaceAll(path, "/", `\`)
}

// LocalPath returns a path that the tested program wrote as one of this machine.
func LocalPath(path string) string {
	if !IsWindows() {
		return path
	}
	local := filepath.FromSlash(strings.ReplaceAll(strings.TrimPrefix(path, `\\?\`), `\`, "/"))
	if inside, ok := strings.CutPrefix(local, "C:"); ok {
		return os.Getenv(DriveC) + inside
	}
	return strings.TrimPrefix(local, "Z:")
}

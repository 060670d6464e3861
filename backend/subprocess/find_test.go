package subprocess

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// install writes a program into a folder, as this system wants it to be named.
func install(t *testing.T, folder, program string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	require.NoError(t, os.MkdirAll(folder, 0o700))
	path := filepath.Join(folder, program)
	require.NoError(t, os.WriteFile(path, nil, 0o700)) //nolint:gosec // a program
	return path
}

// TestFindOnWindows finds programs where winget, installers, Scoop and Chocolatey put them, in folders with blanks, umlauts and
// brackets, and prefers those on the PATH.
func TestFindOnWindows(t *testing.T) {
	home := filepath.Join(t.TempDir(), "Jörg [x] Müller")
	variables := map[string]string{
		"PATH": filepath.Join(home, "path"), "ProgramFiles": filepath.Join(home, "Program Files"),
		"ProgramFiles(x86)": filepath.Join(home, "Program Files (x86)"),
		"LOCALAPPDATA":      filepath.Join(home, "AppData", "Local"), "USERPROFILE": home, "SCOOP": filepath.Join(home, "my scoop"),
		"SCOOP_GLOBAL": filepath.Join(home, "scoop of all"), "ChocolateyInstall": filepath.Join(home, "choco"),
	}
	getenv := func(name string) string { return variables[name] }
	packages := filepath.Join("AppData", "Local", "Microsoft", "WinGet", "Packages")
	for program, folder := range map[string]string{
		"espeak-ng":   filepath.Join("Program Files", "eSpeak NG"),
		"espeak32":    filepath.Join("Program Files (x86)", "eSpeak NG"),
		"own":         filepath.Join("AppData", "Local", "Programs", "eSpeak NG"),
		"linked":      filepath.Join("AppData", "Local", "Microsoft", "WinGet", "Links"),
		"ffmpeg":      filepath.Join(packages, "Gyan.FFmpeg_Microsoft.Winget.Source_8wekyb3d8bbwe", "ffmpeg-7.1.1-full_build", "bin"),
		"pdftotext":   filepath.Join(packages, "oschwartz10612.Poppler_Microsoft.Winget.Source_8wekyb3d8bbwe", "poppler-25.07.0", "Library", "bin"),
		"flat":        filepath.Join(packages, "some.package"),
		"bin":         filepath.Join(packages, "some.package", "bin"),
		"all":         filepath.Join("Program Files", "WinGet", "Links"),
		"allunlinked": filepath.Join("Program Files", "WinGet", "Packages", "some.package", "archive", "bin"),
		"scoop":       filepath.Join("scoop", "shims"),
		"myscoop":     filepath.Join("my scoop", "shims"),
		"allscoop":    filepath.Join("scoop of all", "shims"),
		"choco":       filepath.Join("choco", "bin"),
	} {
		_, err := find("windows", getenv, program)
		require.ErrorIs(t, err, exec.ErrNotFound, program)
		want := install(t, filepath.Join(home, folder), program)
		found, err := find("windows", getenv, program)
		require.NoError(t, err, program)
		assert.Equal(t, want, found)
		_, err = find("linux", getenv, program)
		require.ErrorIs(t, err, exec.ErrNotFound, "other systems have no such folders")
	}
	preferred := install(t, filepath.Join(home, "path"), "ffmpeg")
	found, err := find("windows", getenv, "ffmpeg")
	require.NoError(t, err)
	assert.Equal(t, preferred, found)
	_, err = find("windows", func(string) string { return "" }, "ffmpeg")
	require.ErrorIs(t, err, exec.ErrNotFound, "without any variable")
}

// TestFindOnlyInAbsoluteFolders does not run a program that lies in the current directory, and goes on to the next folder.
func TestFindOnlyInAbsoluteFolders(t *testing.T) {
	here, installed := t.TempDir(), t.TempDir()
	t.Chdir(here)
	install(t, here, "ffmpeg")
	install(t, filepath.Join(here, "bin"), "ffmpeg")
	relative := strings.Join([]string{"", ".", "bin"}, string(os.PathListSeparator))
	t.Setenv("PATH", relative)
	_, err := Find("ffmpeg")
	require.ErrorIs(t, err, exec.ErrNotFound)
	want := install(t, installed, "ffmpeg")
	t.Setenv("PATH", relative+string(os.PathListSeparator)+installed)
	found, err := Find("ffmpeg")
	require.NoError(t, err)
	assert.Equal(t, want, found)
}

// TestPlacesOnMacOS has the folders of Homebrew and MacPorts, which a program started from the Finder does not have on its PATH.
func TestPlacesOnMacOS(t *testing.T) {
	assert.Equal(t, []place{{"/opt/homebrew", "bin"}, {"/usr/local", "bin"}, {"/opt/local", "bin"}}, places("darwin", os.Getenv))
}

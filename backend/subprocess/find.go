package subprocess

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Find returns the absolute path of an installed program: the first one on the PATH, else one where the installers of this
// system put programs without adding to the PATH, or to that of programs that run already. The current directory is never
// searched, nor a relative entry of the PATH: a program that lies beside a document must not run. Error: exec.ErrNotFound.
func Find(program string) (string, error) {
	return find(runtime.GOOS, os.Getenv, program)
}

func find(system string, getenv func(string) string, program string) (string, error) {
	for _, folder := range filepath.SplitList(getenv("PATH")) {
		if path, ok := executable(folder, program); ok {
			return path, nil
		}
	}
	for _, p := range places(system, getenv) {
		folders, _ := fs.Glob(os.DirFS(p.base), p.below) // fails for invalid patterns only
		for _, folder := range folders {
			if path, ok := executable(filepath.Join(p.base, filepath.FromSlash(folder)), program); ok {
				return path, nil
			}
		}
	}
	return "", &exec.Error{Name: program, Err: exec.ErrNotFound}
}

// executable returns the path of a program in a folder, with the ending that the system wants.
func executable(folder, program string) (path string, ok bool) {
	if !filepath.IsAbs(folder) {
		return "", false
	}
	path, err := exec.LookPath(filepath.Join(folder, program))
	return path, err == nil
}

// place is a folder with programs, or a pattern of several, below the folder base.
type place struct{ base, below string }

// windowsPlaces are where installers put espeak-ng, ffmpeg and poppler on Windows, below the folder that a variable names. A
// program there does not see what was added to the PATH after it was started, and the installer of espeak-ng adds nothing. winget
// links a program only if it may; otherwise it stays in the folder of its package, below that of its archive. Folders in ProgramData
// are not searched by name: everyone may make one there, and put a program of their own into it.
var windowsPlaces = []struct{ variable, below string }{
	{"ProgramFiles", "eSpeak NG"},
	{"ProgramFiles(x86)", "eSpeak NG"},
	{"LOCALAPPDATA", "Programs/eSpeak NG"},
	{"LOCALAPPDATA", "Microsoft/WinGet/Links"},
	{"ProgramFiles", "WinGet/Links"},
	{"SCOOP", "shims"},
	{"USERPROFILE", "scoop/shims"},
	{"SCOOP_GLOBAL", "shims"},
	{"ChocolateyInstall", "bin"},
	{"LOCALAPPDATA", "Microsoft/WinGet/Packages/*"},
	{"LOCALAPPDATA", "Microsoft/WinGet/Packages/*/bin"},
	{"LOCALAPPDATA", "Microsoft/WinGet/Packages/*/*/bin"},
	{"LOCALAPPDATA", "Microsoft/WinGet/Packages/*/*/Library/bin"},
	{"ProgramFiles", "WinGet/Packages/*"},
	{"ProgramFiles", "WinGet/Packages/*/bin"},
	{"ProgramFiles", "WinGet/Packages/*/*/bin"},
	{"ProgramFiles", "WinGet/Packages/*/*/Library/bin"},
}

// places returns where programs are looked for on a system besides the PATH.
func places(system string, getenv func(string) string) []place {
	switch system {
	case "darwin": // a program started from the Finder has the PATH of the system only
		return []place{{"/opt/homebrew", "bin"}, {"/usr/local", "bin"}, {"/opt/local", "bin"}}
	case "windows":
		var out []place
		for _, p := range windowsPlaces {
			if base := getenv(p.variable); base != "" {
				out = append(out, place{base, p.below})
			}
		}
		return out
	}
	return nil
}

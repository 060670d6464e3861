package desktop

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/subprocess"
)

// resolveIn returns the path of a file without symbolic links, if it is in one of the folders. Errors: not_found.
func resolveIn(path string, folders ...string) (string, error) {
	missing := backend.E(backend.CodeNotFound, "This file is not in Voicewright's folders.",
		"It may have been moved or deleted; check the history.")
	if !filepath.IsAbs(path) {
		return "", missing
	}
	found, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", missing.WithCause(err)
	}
	for _, folder := range folders {
		folder, err := filepath.EvalSymlinks(folder)
		if err != nil {
			continue
		}
		if relative, err := filepath.Rel(folder, found); err == nil && filepath.IsLocal(relative) {
			return found, nil
		}
	}
	return "", missing
}

// revealers returns the commands that show a file in its folder on a system, in order of preference. bus reports whether
// there is a session bus.
func revealers(system, path string, bus bool) [][]string {
	switch system {
	case "darwin":
		return [][]string{{"open", "-R", path}}
	case "windows":
		return [][]string{{"explorer", "/select," + path}}
	}
	all := [][]string{{"xdg-open", filepath.Dir(path)}}
	if bus {
		place := (&url.URL{Scheme: "file", Path: path}).String()
		place = strings.ReplaceAll(place, ",", "%2C") // dbus-send parts a list there
		all = slices.Insert(all, 0, []string{
			"dbus-send", "--session", "--print-reply", "--reply-timeout=10000", "--type=method_call",
			"--dest=org.freedesktop.FileManager1", "/org/freedesktop/FileManager1",
			"org.freedesktop.FileManager1.ShowItems", "array:string:" + place, "string:",
		})
	}
	return all
}

// revealTimeout returns how long a command may take to fail: xdg-open may be the file manager itself, which keeps running,
// while dbus-send always ends.
func revealTimeout(program string) time.Duration {
	if program == "dbus-send" {
		return 11 * time.Second
	}
	return 3 * time.Second
}

// reveal shows a file in its folder with the first command that works. Errors: not_permitted.
func reveal(ctx context.Context, system, path string) error {
	return revealWithin(ctx, system, path, revealTimeout)
}

func revealWithin(ctx context.Context, system, path string, timeout func(program string) time.Duration) error {
	for _, args := range revealers(system, path, sessionBus()) {
		program, err := subprocess.Find(args[0])
		if err != nil {
			continue
		}
		// The file manager outlives the request, and the window.
		command := subprocess.Desktop(context.WithoutCancel(ctx), program, args[1:]...)
		if command.Start() != nil {
			continue
		}
		ended := make(chan error, 1)
		go func() { ended <- backend.Contain(command.Wait) }()
		select {
		case err = <-ended:
		case <-time.After(timeout(args[0])):
		case <-ctx.Done():
			return ctx.Err()
		}
		if err == nil || system == "windows" { // explorer returns an error even when it succeeds
			return nil
		}
	}
	return backend.E(backend.CodeNotPermitted, "The folder could not be opened.",
		"Open it yourself: "+filepath.Dir(path)+".").With("path", path)
}

// copiedFileVar is the variable with the path of the file to copy: a path in a PowerShell command line would need quoting.
const copiedFileVar = "VOICEWRIGHT_COPIED_FILE"

// copyCommand returns the command that copies a file to the clipboard, on systems where Wails cannot.
func copyCommand(system, path string) []string {
	if system == "windows" {
		return []string{"powershell.exe", "-NoProfile", "-NonInteractive", "-Command", "Set-Clipboard -LiteralPath $env:" + copiedFileVar}
	}
	return []string{
		"osascript", "-e", "on run given", "-e", "set the clipboard to POSIX file (item 1 of given)", "-e", "end run", path,
	}
}

// sessionBus reports whether this desktop has a session bus. The libraries would start one, which nothing stops.
func sessionBus() bool {
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return true
	}
	_, err := os.Stat(filepath.Join(cmp.Or(os.Getenv("XDG_RUNTIME_DIR"), "/nonexistent"), "bus"))
	return err == nil
}

package desktop

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// below gives the real place of a file that lies below one of the folders. Errors: not_found.
func below(path string, folders ...string) (string, error) {
	missing := backend.E(backend.CodeNotFound, "This file is not among those that Voicewright keeps.",
		"It may have been moved or deleted; look into the history.")
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
		if rest, err := filepath.Rel(folder, found); err == nil && filepath.IsLocal(rest) {
			return found, nil
		}
	}
	return "", missing
}

// revealers are the commands that show a file in its folder, per system, in the order of choice. bus tells whether there
// is a session bus.
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

// revealPatience is how long a command may take to fail: xdg-open may be the file manager itself, which stays. dbus-send
// ends in any case.
func revealPatience(program string) time.Duration {
	if program == "dbus-send" {
		return 11 * time.Second
	}
	return 3 * time.Second
}

// reveal shows a file in its folder by the first command that can.
func reveal(ctx context.Context, system, path string) error {
	return revealWithin(ctx, system, path, revealPatience)
}

func revealWithin(ctx context.Context, system, path string, patience func(program string) time.Duration) error {
	for _, args := range revealers(system, path, sessionBus()) {
		program, err := exec.LookPath(args[0])
		if err != nil {
			continue
		}
		// The file manager outlives the request, and the window.
		command := backend.DesktopCommand(context.WithoutCancel(ctx), program, args[1:]...)
		if command.Start() != nil {
			continue
		}
		ended := make(chan error, 1)
		go func() { ended <- command.Wait() }()
		select {
		case err = <-ended:
		case <-time.After(patience(args[0])):
		case <-ctx.Done():
			return ctx.Err()
		}
		if err == nil || system == "windows" { // where explorer never says that it did well
			return nil
		}
	}
	return backend.E(backend.CodeNotPermitted, "The folder could not be opened.", "The file is "+path+".").With("path", path)
}

// copiedFile is the variable that names the file to be copied: Windows gives programs no arguments, only one line.
const copiedFile = "VOICEWRIGHT_COPIED_FILE"

// copier is the command that puts a file on the clipboard, where Wails cannot.
func copier(system, path string) []string {
	if system == "windows" {
		return []string{"powershell.exe", "-NoProfile", "-NonInteractive", "-Command", "Set-Clipboard -LiteralPath $env:" + copiedFile}
	}
	return []string{
		"osascript", "-e", "on run given", "-e", "set the clipboard to POSIX file (item 1 of given)", "-e", "end run", path,
	}
}

// sessionBus tells whether this desktop has a session bus. To ask libraries would start one that nobody ends.
func sessionBus() bool {
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return true
	}
	_, err := os.Stat(filepath.Join(cmp.Or(os.Getenv("XDG_RUNTIME_DIR"), "/nonexistent"), "bus"))
	return err == nil
}

// exportName proposes a name for a saved file: the title without what a file system does not bear.
func exportName(title, format string) string {
	name := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`/\:*?"<>|`, r) {
			return ' '
		}
		return r
	}, title)
	name = strings.Trim(strings.Join(strings.Fields(name), " "), ". ")
	if runes := []rune(name); len(runes) > 60 {
		name = strings.Trim(string(runes[:60]), ". ")
	}
	return cmp.Or(name, "speech") + "." + format
}

// exportTarget gives file and format of a path that the user chose: its ending chooses, else format is added.
func exportTarget(path, format string) (target, chosen string) {
	ending := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	if slices.Contains(backend.ExportFormats(), ending) {
		return path, ending
	}
	return path + "." + format, format
}

// unused gives a path that no file has: the given one, or with a number.
func unused(path string) string {
	ending := filepath.Ext(path)
	for n, try := 2, path; ; n++ {
		if _, err := os.Lstat(try); errors.Is(err, fs.ErrNotExist) || n > 999 {
			return try
		}
		try = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(path, ending), n, ending)
	}
}

// readChosen reads a file that the user chose, of at most limit bytes.
func readChosen(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, backend.FileError("read the file", path, err)
	case !info.Mode().IsRegular():
		return nil, backend.E(backend.CodeUnsupportedMedia, "This is no file.", "Choose a file.")
	case info.Size() > limit:
		return nil, backend.E(backend.CodeBodyTooLarge, "The file is too large.", "Choose a smaller one.").With("limit_bytes", limit)
	}
	raw, err := os.ReadFile(path)
	return raw, backend.FileError("read the file", path, err)
}

package app

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

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
		return "", missing.Because(err)
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

// revealers are the commands that show a file in its folder, per system, in the order of choice.
func revealers(system, path string) [][]string {
	switch system {
	case "darwin":
		return [][]string{{"open", "-R", path}}
	case "windows":
		return [][]string{{"explorer", "/select," + path}}
	default:
		place := (&url.URL{Scheme: "file", Path: path}).String()
		place = strings.ReplaceAll(place, ",", "%2C") // dbus-send parts a list there
		return [][]string{
			{
				"dbus-send", "--session", "--print-reply", "--reply-timeout=3000", "--type=method_call",
				"--dest=org.freedesktop.FileManager1", "/org/freedesktop/FileManager1",
				"org.freedesktop.FileManager1.ShowItems", "array:string:" + place, "string:",
			},
			{"xdg-open", filepath.Dir(path)},
		}
	}
}

// reveal shows a file in its folder by the first command that can.
func reveal(ctx context.Context, system, path string) error {
	for _, args := range revealers(system, path) {
		program, err := exec.LookPath(args[0])
		if err != nil {
			continue
		}
		err = exec.CommandContext(ctx, program, args[1:]...).Run()
		if err == nil || system == "windows" { // where explorer never says that it did well
			return nil
		}
	}
	return backend.E(backend.CodeNotPermitted, "The folder could not be opened.", "The file is "+path+".").With("path", path)
}

// exportFormats are the endings by which a file that is saved may choose its format.
const exportFormats = " wav flac mp3 opus m4a srt vtt "

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
	if ending != "" && strings.Contains(exportFormats, " "+ending+" ") {
		return path, ending
	}
	return path + "." + format, format
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

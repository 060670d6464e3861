package desktop

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// exportName returns a name for a saved file: the title without characters that file systems do not allow.
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

// exportTarget returns the file and the format of a path that the user chose: its extension sets the format, else that of
// format is added.
func exportTarget(path, format string) (target, chosen string) {
	extension := strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
	if slices.Contains(backend.ExportFormats(), extension) {
		return path, extension
	}
	return path + "." + format, format
}

// unused returns a path that does not exist: the given one, or one with a number.
func unused(path string) string {
	extension := filepath.Ext(path)
	for n, try := 2, path; ; n++ {
		if _, err := os.Lstat(try); errors.Is(err, fs.ErrNotExist) || n > 999 {
			return try
		}
		try = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(path, extension), n, extension)
	}
}

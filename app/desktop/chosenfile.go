package desktop

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/filename"
)

// exportName returns a name for a saved file, which the dialog suggests.
func exportName(title, format string) string {
	return filename.Suggested(title, "speech") + "." + format
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

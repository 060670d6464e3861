package files

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
)

// ReadMap reads a JSON object from a small file. The map is never nil: it is empty without a file, without a path, and after an error.
func ReadMap[T any](path string) (map[string]T, error) {
	of := map[string]T{}
	if path == "" {
		return of, nil
	}
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return of, nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &of)
	}
	if err != nil || of == nil {
		of = map[string]T{}
	}
	return of, err
}

package onnx

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf16"

	"github.com/voicewright/voicewright/backend"
)

// GraphExt is the extension of ONNX files.
const GraphExt = ".onnx"

// Locate returns the absolute folder that path names and, where path is a file, the name of that file. ok is false when
// nothing exists at path, or a file with none of the extensions.
func Locate(path string, extensions ...string) (dir, file string, ok bool, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return "", "", false, fmt.Errorf("resolve path: %w", err)
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", "", false, nil
	case err != nil:
		return "", "", false, fmt.Errorf("find model: %w", err)
	case info.IsDir():
		return path, "", true, nil
	case !slices.Contains(extensions, filepath.Ext(path)):
		return "", "", false, nil
	}
	return filepath.Dir(path), filepath.Base(path), true, nil
}

// OpenFile opens a file of a model and returns its size. Only a regular file is opened: a pipe would never end, and may
// never be written to. Errors are backend.CodeModelCorrupt naming the file.
func OpenFile(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, Unreadable(path, fmt.Errorf("find: %w", err))
	}
	if !info.Mode().IsRegular() {
		return nil, 0, Corrupt(path, "is not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, Unreadable(path, fmt.Errorf("open: %w", err))
	}
	return f, info.Size(), nil
}

// ReadSmall reads a file of a model that has at most limit bytes. Errors are backend.CodeModelCorrupt naming the file.
func ReadSmall(path string, limit int64) ([]byte, error) {
	f, _, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	raw, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, Unreadable(path, fmt.Errorf("read: %w", err))
	}
	if int64(len(raw)) > limit {
		return nil, Corrupt(path, fmt.Sprintf("is larger than %d bytes", limit))
	}
	return raw, nil
}

// ReadJSON reads a small file of a model into v. Errors are those of ReadSmall and ParseJSON.
func ReadJSON(path string, limit int64, v any) error {
	raw, err := ReadSmall(path, limit)
	if err != nil {
		return err
	}
	return ParseJSON(path, raw, v)
}

// PlainText returns a text in UTF-8 without a byte order mark, from UTF-8 or UTF-16, which some Windows programs write. Without a
// mark, text in UTF-16 is recognised by its first character, which must be of ASCII.
func PlainText(raw []byte) []byte {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")):
		return raw[3:]
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		order, raw = binary.LittleEndian, raw[2:]
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		order, raw = binary.BigEndian, raw[2:]
	case len(raw) > 1 && raw[0] != 0 && raw[1] == 0:
		order = binary.LittleEndian
	case len(raw) > 1 && raw[0] == 0 && raw[1] != 0:
		order = binary.BigEndian
	default:
		return raw
	}
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = order.Uint16(raw[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}

// ParseJSON decodes raw, the content of the file at path, into v. Errors are backend.CodeModelCorrupt naming the file and,
// for a value of the wrong type, the field.
func ParseJSON(path string, raw []byte, v any) error {
	err := json.Unmarshal(PlainText(raw), v)
	if err == nil {
		return nil
	}
	var typ *json.UnmarshalTypeError
	if errors.As(err, &typ) && typ.Field != "" {
		return Corrupt(path, "has a wrong value in "+typ.Field).WithCause(err)
	}
	return Corrupt(path, "is damaged or cut off").WithCause(err)
}

// Unreadable returns the error about a file of a model that is missing or cannot be read; cause says which.
func Unreadable(path string, cause error) *backend.Error {
	if errors.Is(cause, os.ErrNotExist) {
		return Missing(path).WithCause(cause)
	}
	return Corrupt(path, "cannot be read").WithCause(cause)
}

// TooManyGraphs returns the error about a folder with several graphs of which none is named; path is one of them.
func TooManyGraphs(path string) *backend.Error {
	return TooMany(path, "is one graph too many in its folder: choose one file")
}

// Missing returns the error about a file of a model that does not exist, with the parameter reason.
func Missing(path string) *backend.Error {
	return Corrupt(path, "is missing").With("reason", "missing")
}

// TooMany returns the error about a file of which a folder has one too many, with the parameter reason; what follows its name.
func TooMany(path, what string) *backend.Error { return Corrupt(path, what).With("reason", "several") }

// Corrupt returns the error about a file of a model, named by its base; what follows the name: "is missing".
func Corrupt(path, what string) *backend.Error {
	file := filepath.Base(path)
	return backend.E(backend.CodeModelCorrupt, "The model file "+file+" "+what+".",
		"Remove the model, then download or import it again.").With("file", file)
}

// IsFile reports whether there is a regular file at path, also through links.
func IsFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

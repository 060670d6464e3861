package models

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// errRefused returns the error of an import from at, a file or folder, with a remedy that names the file to fetch. A file that is
// something else than its name says, such as a saved web page, is named as what it is. Other errors than model_corrupt are
// returned as they are.
func errRefused(at string, err error) error {
	if backend.CodeOf(err) != backend.CodeModelCorrupt {
		return err
	}
	e := backend.AsError(err)
	file, _ := e.Params["file"].(string)
	if path, what := impostor(at, file); what != nil {
		return what.error(path).WithCause(err)
	}
	reason, remedy := e.Params["reason"], ""
	switch {
	case file == "" && slices.Contains(archives, strings.ToLower(filepath.Ext(at))):
		reason, remedy = "archive", "Unpack it, then import the folder or the file in it."
	case file == "", reason == "several":
		return err
	case reason == "missing":
		remedy = fmt.Sprintf("Fetch %s from where the other files came from, put it into the same folder, then import that again.", file)
	default:
		reason, remedy = "damaged", fmt.Sprintf("Fetch %s again from where it came from, then import it again.", file)
	}
	e = e.With("reason", reason) // a copy
	e.Remedy = remedy
	return e
}

// archives are the endings of files that hold other files.
var archives = []string{".zip", ".gz", ".tgz", ".tar", ".bz2", ".xz", ".zst", ".7z", ".rar"}

// impostorKind is a kind of file that people have in the place of a model file.
type impostorKind struct {
	reason       string // for the page
	is, remedy   string // %s is the name of the file
	matches      func(head []byte) bool
	binariesOnly bool // texts are right in other files
}

// error returns the error about the file at path.
func (k *impostorKind) error(path string) *backend.Error {
	file := filepath.Base(path)
	return backend.E(backend.CodeModelCorrupt, fmt.Sprintf(k.is, file), fmt.Sprintf(k.remedy, strings.TrimPrefix(file, "._"))).
		With("file", file).With("reason", k.reason)
}

var impostorKinds = []impostorKind{
	{
		reason: "pointer", is: "%s is a Git LFS pointer: a few lines in the place of the file itself.",
		remedy:  "Fetch %s itself: run git lfs pull where it came from, or use the download link on its page. Then import it again.",
		matches: func(head []byte) bool { return bytes.HasPrefix(head, []byte("version https://git-lfs.github.com/")) },
	},
	{
		reason: "web_page", is: "%s is a saved web page, not the file itself.",
		remedy:  "Fetch %s itself with the download link on that page. Then import it again.",
		matches: isWebPage,
	},
	{
		reason: "side_file", is: "%s is a side file that macOS made, not the model.",
		remedy:  "Choose %s.",
		matches: func(head []byte) bool { return bytes.HasPrefix(head, []byte{0, 5, 0x16, 7}) },
	},
	{
		reason: "empty", is: "%s is empty.", remedy: "Fetch %s again from where it came from, then import it again.",
		matches: func(head []byte) bool { return len(head) == 0 },
	},
	{
		reason: "text", is: "%s is a text, not a model file.", remedy: "Fetch %s again: what was saved is the answer of a website, not the file.",
		matches: isText, binariesOnly: true,
	},
}

// binaries are the endings of model files that are no texts.
var binaries = []string{".onnx", ".bin", ".npz", ".npy", ".safetensors", ".data", ".onnx_data", ".model"}

// headSize is how much of a file is looked at, in bytes: a web page may begin with comments.
const headSize = 1024

// impostor returns the file of an import that is no model file, and what it is: the named one, or where that does not exist any
// one of the import. what is nil where there is none.
func impostor(at, file string) (path string, what *impostorKind) {
	named, all := modelFiles(at, file)
	if len(named) > 0 {
		all = named
	}
	for _, path := range all {
		head, err := headOf(path)
		if err != nil {
			continue
		}
		for i, k := range impostorKinds {
			if k.matches(head) && (!k.binariesOnly || slices.Contains(binaries, strings.ToLower(filepath.Ext(path)))) {
				return path, &impostorKinds[i]
			}
		}
	}
	return "", nil
}

// modelFiles returns the files of an import that may be of a model, and those of them that have a name.
func modelFiles(at, name string) (named, all []string) {
	if isRegular(at) {
		if beside := filepath.Join(filepath.Dir(at), name); name != "" && isRegular(beside) {
			named = append(named, beside)
		}
		return named, []string{at}
	}
	add := func(path string) {
		extension := strings.ToLower(filepath.Ext(path))
		if extension != ".json" && !slices.Contains(binaries, extension) {
			return
		}
		all = append(all, path)
		if filepath.Base(path) == name {
			named = append(named, path)
		}
	}
	left := 500 // entries of a folder that may be any one of the user's
	_ = filepath.WalkDir(at, func(path string, d fs.DirEntry, err error) error {
		left--
		switch {
		case left < 0:
			return filepath.SkipAll
		case err != nil:
			return nil //nolint:nilerr // what cannot be read is no model file
		case engines.SideFile(d.Name()) && d.IsDir():
			return filepath.SkipDir
		case engines.SideFile(d.Name()):
		case !d.IsDir() && isRegular(path):
			add(path)
		}
		return nil
	})
	return named, all
}

func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// headOf returns the beginning of a regular file.
func headOf(path string) ([]byte, error) {
	if !isRegular(path) {
		return nil, fs.ErrInvalid
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return io.ReadAll(io.LimitReader(f, headSize))
}

func isWebPage(head []byte) bool {
	text := bytes.ToLower(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n"))
	for bytes.HasPrefix(text, []byte("<!--")) {
		_, after, closed := bytes.Cut(text, []byte("-->"))
		if !closed {
			return true
		}
		text = bytes.TrimLeft(after, " \t\r\n")
	}
	return slices.ContainsFunc([]string{"<!doctype html", "<html", "<head", "<body", "<script", "<meta", "<title"}, func(tag string) bool {
		return bytes.HasPrefix(text, []byte(tag))
	}) || bytes.HasPrefix(text, []byte("<?xml")) && bytes.Contains(text, []byte("<html"))
}

// isText reports whether a file begins as a text.
func isText(head []byte) bool {
	for len(head) > 0 {
		r, size := utf8.DecodeRune(head)
		if r == utf8.RuneError && len(head) >= utf8.UTFMax || unicode.IsControl(r) && !unicode.IsSpace(r) {
			return false
		}
		head = head[size:]
	}
	return true
}

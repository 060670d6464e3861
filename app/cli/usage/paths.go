package usage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/filename"
	"github.com/voicewright/voicewright/backend/files"
)

// IsFolder reports whether an output is a folder: one that exists, or a path that ends in a separator.
func IsFolder(out string) bool {
	info, err := os.Stat(out)
	return err == nil && info.IsDir() || out != "" && os.IsPathSeparator(out[len(out)-1])
}

// CheckFolder returns an error when the folder of an output file does not exist, or when the output itself is a folder, a device
// or a pipe.
func CheckFolder(out string) error {
	if err := checkName(runtime.GOOS, out); err != nil {
		return err
	}
	if IsFolder(out) {
		return Errorf("%s is a folder; name a file in it", out)
	}
	if err := CheckKind(out); err != nil {
		return err
	}
	return CheckParent(out)
}

// AbsoluteOutput returns the absolute path of an output, or an error for a name that the system cannot have: Windows makes the path of a
// device of some.
func AbsoluteOutput(out string) (string, error) {
	if err := checkName(runtime.GOOS, out); err != nil {
		return "", err
	}
	path, err := filepath.Abs(out)
	if err != nil {
		return "", fmt.Errorf("find the output: %w", err)
	}
	return path, nil
}

// checkName returns an error for an output whose name a system gives to a device, changes or cannot have.
func checkName(system, out string) error {
	if system != "windows" {
		return nil
	}
	name := out[strings.LastIndexAny(out, `/\`)+1:]
	switch {
	case filename.IsDevice(name[strings.LastIndexByte(name, ':')+1:]):
		return Errorf("Windows keeps the name %s for a device; choose another one", name)
	case strings.TrimLeft(name, ".") != "" && strings.TrimRight(name, ". ") != name:
		return Errorf("Windows removes the dot or blank at the end of %q; choose another name", name)
	case strings.ContainsAny(strings.TrimPrefix(name, filepath.VolumeName(name)), `<>:"|?*`):
		return Errorf("Windows allows none of the characters <>:\"|?* in a name such as %s; choose another one", name)
	}
	return nil
}

// CheckKind returns an error when an output file is a device or a pipe.
func CheckKind(out string) error {
	if err := checkName(runtime.GOOS, out); err != nil {
		return err
	}
	if files.CheckTarget(out) != nil {
		return Errorf("%s is not a file but a device or a pipe; name a file", out)
	}
	return nil
}

// CheckParent returns an error when the folder of an output, which is a file or a folder, does not exist.
func CheckParent(out string) error {
	dir := filepath.Dir(out)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return Errorf("the folder %s does not exist", dir)
	}
	return nil
}

// InFolder returns out, where it is a folder a file of this name in it, with a number if the folder has such a file.
func InFolder(out, name string) string {
	if IsFolder(out) {
		return Unused(filepath.Join(out, name))
	}
	return out
}

// OutputFile is InFolder that gives a path without an extension the one of the name, and checks the folder of the file.
func OutputFile(out, name string) (string, error) {
	out = InFolder(out, name)
	if filepath.Ext(out) == "" {
		out += filepath.Ext(name)
	}
	return out, CheckFolder(out)
}

// Unused returns a path that no file has: the given one, else with a number before its extension.
func Unused(path string) string {
	ext := filepath.Ext(path)
	for n, next := 2, path; ; n++ {
		if _, err := os.Lstat(next); err != nil { // what else is wrong with it, writing says
			return next
		}
		next = strings.TrimSuffix(path, ext) + " " + strconv.Itoa(n) + ext
	}
}

// OpenInput opens a file that the user named.
func OpenInput(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, InputError(path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, Errorf("%s is not a file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, InputError(path, err)
	}
	return f, nil
}

// FilesBelow returns the files below a folder whose extension, in lower case, is accepted, sorted; hidden ones are left out.
func FilesBelow(folder string, accepted func(extension string) bool) ([]string, error) {
	var paths []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		hidden := path != folder && strings.HasPrefix(d.Name(), ".")
		switch {
		case err != nil:
			return err
		case hidden && d.IsDir():
			return filepath.SkipDir
		case !hidden && !d.IsDir() && accepted(strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))):
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil {
		return nil, FolderError(folder, err)
	}
	slices.Sort(paths)
	return paths, nil
}

// FolderError returns the error of reading a folder that the user named. Errors: not_found, those of backend.FileError.
func FolderError(path string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return backend.E(backend.CodeNotFound, "The folder "+path+" does not exist.", "Check the name.").WithCause(err)
	}
	return backend.FileError("read the folder", path, err)
}

// PathError returns the error of reading a file or a folder that the user named. Errors: not_found, those of backend.FileError.
func PathError(path string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return backend.E(backend.CodeNotFound, "There is no file or folder "+path+".", "Check the name.").WithCause(err)
	}
	return backend.FileError("read the file or folder", path, err)
}

// InputError returns the error of reading a file that the user named, or a folder where the path ends in a separator. Errors: not_found,
// those of backend.FileError.
func InputError(path string, err error) error {
	switch {
	case errors.Is(err, os.ErrNotExist) && path != "" && os.IsPathSeparator(path[len(path)-1]):
		return FolderError(path, err)
	case errors.Is(err, os.ErrNotExist):
		return backend.E(backend.CodeNotFound, "There is no file "+path+".", "Check the name.").WithCause(err)
	case errors.Is(err, syscall.EISDIR):
		return Errorf("%s is a folder; name a file in it", path)
	}
	return backend.FileError("read the file", path, err)
}

// SameFile reports whether two paths lead to one file that exists.
func SameFile(a, b string) bool {
	one, errA := os.Stat(a)
	other, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(one, other)
}

package onnx

import (
	"os"
	"path/filepath"
	"runtime"
)

// Find returns an error if the library is not found, without loading it: loading costs memory that an idle program
// should not take. Error: backend.CodeRuntimeMissing. A file that is not a working library is noticed only when it is
// loaded.
func (r *Runtime) Find() error {
	if r.Version() != "" {
		return nil
	}
	paths, err := candidates(runtime.GOOS, r.options)
	if err != nil {
		return errMissing("The ONNX Runtime library was not found at " + r.options.Path + ".").WithCause(err)
	}
	for _, path := range paths {
		if filepath.IsAbs(path) || inSystem(path) {
			return nil
		}
	}
	return errMissing("The ONNX Runtime library (" + libraryNames(runtime.GOOS)[0] + ") was not found.")
}

// inSystem reports whether a library is in a folder where the system's loader usually looks.
func inSystem(name string) bool {
	for _, pattern := range []string{"/usr/lib", "/usr/lib64", "/usr/local/lib", "/opt/homebrew/lib", "/usr/lib/*-linux-gnu"} {
		dirs, _ := filepath.Glob(pattern) // the patterns are well-formed
		for _, dir := range dirs {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				return true
			}
		}
	}
	return false
}

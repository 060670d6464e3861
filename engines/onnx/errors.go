package onnx

import (
	"path/filepath"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// corrupt is the error about a file of a model, named by its base.
func corrupt(path, what string) *backend.Error {
	file := filepath.Base(path)
	return backend.E(backend.CodeModelCorrupt, "The model file "+file+" "+what+".",
		"Remove the model, then download or import it again.").With("file", file)
}

func memoryShort(detail string) *backend.Error {
	return backend.E(backend.CodeOutOfMemory, detail,
		"Unload other models, close other programs, or use a smaller model.")
}

// failed is the error of a run that went wrong; stage is the work it did.
func failed(stage string, cause error) *backend.Error {
	return backend.E(backend.CodeEngineFailed, "The speech model failed in "+stage+".",
		"Try another text or voice; if every text fails, download the model again.").With("stage", stage).Because(cause)
}

// outOfMemory recognises the library's wordings for a failed allocation.
func outOfMemory(err error) bool {
	text := strings.ToLower(err.Error())
	for _, sign := range []string{"bad_alloc", "failed to allocate memory", "out of memory", "bad allocation"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

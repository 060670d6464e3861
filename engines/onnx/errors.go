package onnx

import (
	"strings"

	"github.com/voicewright/voicewright/backend"
)

func memoryShort(detail string) *backend.Error {
	return backend.E(backend.CodeOutOfMemory, detail,
		"Unload other models, close other programs, or use a smaller model.")
}

// Failed is the error of a run that went wrong, or gave what none may give; stage is the work it did.
// Code: backend.CodeEngineFailed.
func Failed(stage string, cause error) *backend.Error {
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

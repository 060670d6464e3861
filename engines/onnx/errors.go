package onnx

import (
	"strings"

	"github.com/voicewright/voicewright/backend"
)

func errMemoryShort(detail string) *backend.Error {
	return backend.E(backend.CodeOutOfMemory, detail, "Unload other models, close other programs, or use a smaller model.")
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

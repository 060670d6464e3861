package engines

import (
	"errors"

	"github.com/voicewright/voicewright/backend"
)

// ErrSilent is the cause of an engine_failed that says that a text gave only silence.
var ErrSilent = errors.New("only silence")

// Failed returns the error of an engine that failed or returned invalid output; stage names the step.
// Code: backend.CodeEngineFailed.
func Failed(stage string, cause error) *backend.Error {
	return backend.E(backend.CodeEngineFailed, "The speech model failed in "+stage+".",
		"Try another text or voice; if every text fails, download the model again.").With("stage", stage).WithCause(cause)
}

// Contain calls an engine and returns a panic in it as the error of Failed; stage names the step.
func Contain(stage string, call func() error) error {
	err := backend.Contain(call)
	var panicked *backend.PanicError
	if backend.CodeOf(err) == backend.CodeInternal && errors.As(err, &panicked) {
		return Failed(stage, err)
	}
	return err
}

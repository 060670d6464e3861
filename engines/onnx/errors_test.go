package onnx

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

func TestRunErrors(t *testing.T) {
	for text, want := range map[string]backend.Code{
		"Error running network: std::bad_alloc":                                                  backend.CodeOutOfMemory,
		"BFCArena::AllocateRawInternal Failed to allocate memory for requested buffer of size 9": backend.CodeOutOfMemory,
		"Non-zero status code returned while running Gather node":                                backend.CodeEngineFailed,
	} {
		err := newSession("x.onnx", Signature{}, nil).ended(t.Context(), "speaking", errors.New(text))
		require.Equal(t, want, backend.CodeOf(err), text)
		require.Contains(t, backend.AsError(err).Detail, "speaking")
		require.NotContains(t, backend.AsError(err).Detail, text)
		require.NotEmpty(t, backend.AsError(err).Remedy)
	}
}

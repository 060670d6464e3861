//go:build !whisper

package whisper

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

func TestABuildWithoutTheLibrarySaysSo(t *testing.T) {
	d := NewDriver(slog.New(slog.DiscardHandler))
	require.False(t, d.Available())
	_, err := d.Open(t.Context(), engines.Files{}, engines.Options{})
	require.Equal(t, backend.CodeRuntimeMissing, backend.CodeOf(err))
	require.ErrorContains(t, err, "cannot transcribe")
}

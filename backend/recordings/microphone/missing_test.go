//go:build nomicrophone

package microphone

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

func TestABuildWithoutTheSoundSystemSaysSo(t *testing.T) {
	s := &System{}
	list, err := s.List()
	require.Empty(t, list)
	require.Equal(t, backend.CodeRuntimeMissing, backend.CodeOf(err))

	_, err = s.Open("", 48000, nil)
	require.Equal(t, backend.CodeRuntimeMissing, backend.CodeOf(err))
	require.ErrorContains(t, err, "cannot record")
}

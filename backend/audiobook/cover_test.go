package audiobook_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/audiobook"
)

func TestCoversThatPlayersCannotShow(t *testing.T) {
	for code, data := range map[backend.Code][]byte{
		backend.CodeBodyTooLarge:     make([]byte, 50<<20),
		backend.CodeUnsupportedMedia: picture(t, "png")[:20],
	} {
		_, err := audiobook.Measure(t.Context(), audio.FindCodecs(), audiobook.Book{Cover: data}, 0)
		require.Equal(t, code, backend.CodeOf(err))
	}
}

package audiobook_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/audiobook"
)

func TestCovers(t *testing.T) {
	require.NoError(t, audiobook.CheckCover(nil))
	require.NoError(t, audiobook.CheckCover(picture(t, "jpeg")))
	require.NoError(t, audiobook.CheckCover(picture(t, "png")))
	for want, data := range map[string][]byte{
		"The cover has 50 MB, and at most 20 MB fit into an audiobook.": make([]byte, 50<<20),
		"The cover is neither a JPEG nor a PNG picture.":                []byte("GIF89a"),
		"The picture of the cover is damaged.":                          picture(t, "png")[:20],
	} {
		err := audiobook.CheckCover(data)
		require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err))
		require.Equal(t, want, backend.AsError(err).Detail)
		require.NotEmpty(t, backend.AsError(err).Remedy)
		_, err = audiobook.Measure(t.Context(), audio.FindCodecs(), audiobook.Book{Cover: data}, 0)
		require.Equal(t, want, backend.AsError(err).Detail)
	}
	for _, data := range [][]byte{{}, picture(t, "jpeg")[:12], []byte("\xFF\xD8\xFF\xE0 no picture")} {
		require.Error(t, audiobook.CheckCover(data))
	}
}

package backend_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

func TestCovers(t *testing.T) {
	t.Parallel()
	var photo, drawing bytes.Buffer
	picture := image.NewGray(image.Rect(0, 0, 640, 640))
	require.NoError(t, jpeg.Encode(&photo, picture, nil))
	require.NoError(t, png.Encode(&drawing, picture))
	for extension, data := range map[string][]byte{".jpg": photo.Bytes(), ".png": drawing.Bytes()} {
		require.Equal(t, extension, backend.CoverExtension(data))
		require.NoError(t, backend.CheckCover(data))
		require.NoError(t, backend.CheckWholeCover(data))
		half := data[:len(data)/2]
		require.NoError(t, backend.CheckCover(half), "its start is whole")
		err := backend.CheckWholeCover(half)
		require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err))
		require.Equal(t, "The picture of the cover is damaged.", backend.AsError(err).Detail)
	}
	for _, c := range []struct {
		data         []byte
		code         backend.Code
		want, reason string
	}{
		{make([]byte, 50<<20), backend.CodeBodyTooLarge, "The cover is larger than 20 MB.", ""},
		{[]byte("GIF89a"), backend.CodeUnsupportedMedia, "The cover is neither a JPEG nor a PNG picture.", "cover_format"},
		{nil, backend.CodeUnsupportedMedia, "The cover is neither a JPEG nor a PNG picture.", "cover_format"},
		{drawing.Bytes()[:20], backend.CodeUnsupportedMedia, "The picture of the cover is damaged.", "cover_damaged"},
		{photo.Bytes()[:12], backend.CodeUnsupportedMedia, "The picture of the cover is damaged.", "cover_damaged"},
		{[]byte("\xFF\xD8\xFF\xE0 no picture"), backend.CodeUnsupportedMedia, "The picture of the cover is damaged.", "cover_damaged"},
	} {
		for _, err := range []error{backend.CheckCover(c.data), backend.CheckWholeCover(c.data)} {
			require.Equal(t, c.code, backend.CodeOf(err))
			require.Equal(t, c.want, backend.AsError(err).Detail)
			require.NotEmpty(t, backend.AsError(err).Remedy)
			if c.reason != "" {
				require.Equal(t, c.reason, backend.AsError(err).Params["reason"])
			}
		}
	}
}

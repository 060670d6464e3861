package openai

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
)

// FuzzDecode does not start ffmpeg: package audio tests that.
func FuzzDecode(f *testing.F) {
	f.Add("audio/wav", append(audio.WAVHeader(24_000, 1, 8), 1, 2, 3, 4, 5, 6, 7, 8))
	f.Add("audio/wav", audio.WAVHeader(24_000, 2, 0xFFFFFFFF))
	f.Add("audio/L16; rate=8000", []byte{1, 2})
	f.Add("text/html", []byte("<html>"))
	p, err := New(Options{Provider: service.ProviderB, URL: "http://localhost", Model: "m"})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		if format := formatOf(body); format != "" && format != "wav" {
			t.Skip("compressed")
		}
		sound, err := p.decode(t.Context(), answer{contentType: contentType, body: body}, time.Minute)
		if err != nil {
			return
		}
		require.Equal(t, 1, sound.Channels)
		require.Positive(t, sound.Frames())
		require.LessOrEqual(t, sound.Duration(), time.Minute)
	})
}

func FuzzExcerpt(f *testing.F) {
	f.Add("the text is secret", "secret")
	f.Add(`"\u4f60\u597d"`, "你好")
	f.Fuzz(func(t *testing.T, body, secret string) {
		require.LessOrEqual(t, len([]rune(excerpt(body, secret))), maxExcerpt+1)
	})
}

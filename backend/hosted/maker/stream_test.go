package maker_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
)

// TestHostedLive hears the first part of a long hosted text while the others are made, also where it came as MP3.
func TestHostedLive(t *testing.T) {
	for _, format := range []string{"wav", "mp3"} {
		t.Run(format, func(t *testing.T) {
			l, f := studiotest.NewWithHosted(t)
			open := f.HoldFrom(t, 1)
			r := l.HostedRequest(studiotest.Ann, studiotest.ThreeParts)
			r.Format = format
			g, err := l.Generations.Submit(t.Context(), r)
			require.NoError(t, err)
			first := <-l.Listen(t.Context(), g.ID, 0, 0.00005)
			require.NoError(t, first.Err)
			require.NotEmpty(t, first.PCM)
			peaks, err := l.Generations.Player.LivePeaks(t.Context(), g.ID, 0)
			require.NoError(t, err)
			require.Len(t, peaks.Chunks, 1)
			all := l.Listen(t.Context(), g.ID, 0, 0)
			open()
			got := <-all
			require.NoError(t, got.Err)
			g = l.Becomes(g.ID, backend.StatusComplete)
			if format == "wav" {
				require.Equal(t, studiotest.PCM(t, g), got.PCM)
			}
			l.Settled(g.AudioPath)
		})
	}
}

// noDecoder is an encoder that cannot decode.
type noDecoder struct{ studio.Encoder }

func (noDecoder) DecodeFile(context.Context, string, string, int) error {
	return backend.E(backend.CodeRuntimeMissing, "ffmpeg is missing.", "Install it.")
}

func TestHostedLiveWithoutDecoder(t *testing.T) {
	f := studiotest.NewHosted(t)
	l := studiotest.New(t, nil, func(l *studiotest.Lab) { l.Options.Hosted, l.Options.Encoder = f, noDecoder{l.Options.Encoder} })
	open := f.HoldFrom(t, 1)
	g, err := l.Generations.Submit(t.Context(), l.HostedRequest(studiotest.Ann, studiotest.ThreeParts))
	require.NoError(t, err)
	refused := make(chan error, 1)
	go func() {
		_, err := l.Generations.Player.Live(t.Context(), g.ID, 0, 0)
		refused <- err
	}()
	open()
	backendtest.RequireCode(t, backend.CodeNotInProgress, <-refused)
	require.Len(t, l.Becomes(g.ID, backend.StatusComplete).Chunks, 3, "it is complete all the same")
}

// TestHostedLiveOfAChange begins with the first part that is paid; those before it can be sought.
func TestHostedLiveOfAChange(t *testing.T) {
	l, f := studiotest.NewWithHosted(t)
	r := l.HostedRequest(studiotest.Ann, studiotest.ThreeParts)
	r.Format = "wav"
	before := l.Speak(r)
	open := f.HoldFrom(t, 2)
	_, err := l.Takes.Revise(t.Context(), before.ID, "One.[pause 1s]Another.[pause 1s]Last.[pause 1s]Three.", nil)
	require.NoError(t, err)
	live, err := l.Generations.Player.Live(t.Context(), before.ID, 0, 0)
	require.NoError(t, err)
	require.NoError(t, live.Close())
	peaks, err := l.Generations.Player.LivePeaks(t.Context(), before.ID, 0)
	require.NoError(t, err)
	require.Len(t, peaks.Chunks, 2)
	require.Equal(t, "One.", peaks.Chunks[0].Text)
	require.Equal(t, "Another.", peaks.Chunks[1].Text)
	all := l.Listen(t.Context(), before.ID, 0, 0)
	open()
	got := <-all
	require.NoError(t, got.Err)
	g := l.Ended(before.ID)
	require.InDelta(t, g.Chunks[1].Start, live.NewFrom, 1e-6)
	require.Equal(t, studiotest.PCM(t, g), got.PCM)
}

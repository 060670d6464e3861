package speech_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/studio"
)

// heldPart lets the parts of a hosted generation wait from part n on, until open is called.
func (f *fakeHosted) heldPart(t *testing.T, n int) (open func()) {
	held := make(chan struct{})
	open = sync.OnceFunc(func() { close(held) })
	t.Cleanup(open)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gate = func(ctx context.Context, _ backend.HostedSpeech, part int) error {
		if part >= n {
			select {
			case <-held:
			case <-ctx.Done():
			}
		}
		return ctx.Err()
	}
	return open
}

// TestHostedLive hears the first part of a long hosted text while the others are made, also where it came as MP3.
func TestHostedLive(t *testing.T) {
	for _, format := range []string{"wav", "mp3"} {
		t.Run(format, func(t *testing.T) {
			l, f := hostedLab(t)
			open := f.heldPart(t, 1)
			r := l.hosted(ann, threeParts)
			r.Format = format
			g, err := l.service.Generations.Submit(t.Context(), r)
			require.NoError(t, err)
			first := <-l.listen(t.Context(), g.ID, 0, 0.00005)
			require.NoError(t, first.err)
			require.NotEmpty(t, first.pcm)
			peaks, err := l.service.Generations.LivePeaks(t.Context(), g.ID, 0)
			require.NoError(t, err)
			require.Len(t, peaks.Chunks, 1)
			all := l.listen(t.Context(), g.ID, 0, 0)
			open()
			got := <-all
			require.NoError(t, got.err)
			g = l.becomes(g.ID, backend.StatusComplete)
			if format == "wav" {
				require.Equal(t, pcmOf(t, g), got.pcm)
			}
			l.settled(g.AudioPath)
		})
	}
}

// noDecoder is an encoder that cannot decode.
type noDecoder struct{ studio.Encoder }

func (noDecoder) DecodeFile(context.Context, string, string, int) error {
	return backend.E(backend.CodeRuntimeMissing, "ffmpeg is missing.", "Install it.")
}

func TestHostedLiveWithoutDecoder(t *testing.T) {
	f := newFakeHosted(t)
	l := newLab(t, nil, func(l *lab) { l.options.Hosted, l.options.Encoder = f, noDecoder{l.options.Encoder} })
	open := f.heldPart(t, 1)
	g, err := l.service.Generations.Submit(t.Context(), l.hosted(ann, threeParts))
	require.NoError(t, err)
	refused := make(chan error, 1)
	go func() {
		_, err := l.service.Generations.Live(t.Context(), g.ID, 0, 0)
		refused <- err
	}()
	open()
	requireCode(t, backend.CodeNotInProgress, <-refused)
	require.Len(t, l.becomes(g.ID, backend.StatusComplete).Chunks, 3, "it is complete all the same")
}

// TestHostedLiveOfAChange begins with the first part that is paid; those before it can be sought.
func TestHostedLiveOfAChange(t *testing.T) {
	l, f := hostedLab(t)
	r := l.hosted(ann, threeParts)
	r.Format = "wav"
	before := l.speak(r)
	open := f.heldPart(t, 2)
	_, err := l.service.Takes.Revise(t.Context(), before.ID, "One.[pause 1s]Another.[pause 1s]Last.[pause 1s]Three.", nil)
	require.NoError(t, err)
	live, err := l.service.Generations.Live(t.Context(), before.ID, 0, 0)
	require.NoError(t, err)
	require.NoError(t, live.Close())
	peaks, err := l.service.Generations.LivePeaks(t.Context(), before.ID, 0)
	require.NoError(t, err)
	require.Len(t, peaks.Chunks, 2)
	require.Equal(t, "One.", peaks.Chunks[0].Text)
	require.Equal(t, "Another.", peaks.Chunks[1].Text)
	all := l.listen(t.Context(), before.ID, 0, 0)
	open()
	got := <-all
	require.NoError(t, got.err)
	g := l.ended(before.ID)
	require.InDelta(t, g.Chunks[1].Start, live.NewFrom, 1e-6)
	require.Equal(t, pcmOf(t, g), got.pcm)
}

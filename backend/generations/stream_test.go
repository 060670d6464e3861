package generations_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// writerFunc is a client.
type writerFunc func([]byte) (int, error)

func (w writerFunc) Write(p []byte) (int, error) { return w(p) }

func TestStreamIsTheStoredSound(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	stream := func() ([]byte, backend.Generation) {
		r := l.Request(studiotest.ThreeSentences)
		r.Seed = new(int64(5))
		st, err := l.Generations.Player.Stream(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, 24000, st.Rate)
		require.Equal(t, 1, st.Channels)
		var got bytes.Buffer
		require.NoError(t, st.WriteTo(t.Context(), &got))
		require.NoError(t, st.Close())
		g := l.Stored(st.Generation.ID)
		require.Equal(t, backend.StatusComplete, g.Status, "the end of the stream is the end of the generation")
		require.Contains(t, l.Files(), g.AudioPath)
		return got.Bytes(), g
	}
	first, g := stream()
	stored, err := os.ReadFile(g.AudioPath)
	require.NoError(t, err)
	stored = stored[44:]
	require.Len(t, first, len(stored))
	gain := math.Pow(10, g.Receipt.GainDB/20)
	for i := 0; i+1 < len(stored); i += 2 {
		want := float64(int16(binary.LittleEndian.Uint16(first[i:]))) * gain
		require.InDelta(t, want, float64(int16(binary.LittleEndian.Uint16(stored[i:]))), 2, "sample %d", i/2)
	}

	second, g := stream() // the voice's level is known now
	levelled, err := os.ReadFile(g.AudioPath)
	require.NoError(t, err)
	require.True(t, bytes.Equal(levelled[44:], second), "the stream has the level of the file")
	require.Len(t, l.Files(), 2, "the spools are gone")
}

func TestStreamStartsWithTheFirstSentence(t *testing.T) {
	l := studiotest.New(t, studiotest.SpeaksOnly("The first sentence."))
	st, err := l.Generations.Player.Stream(t.Context(), l.Request("The first sentence. The second sentence. And it stops here."))
	require.NoError(t, err)
	ctx, leave := context.WithCancel(t.Context())
	got := 0
	err = st.WriteTo(ctx, writerFunc(func(p []byte) (int, error) {
		got += len(p)
		leave() // a client that has heard the beginning
		return len(p), nil
	}))
	backendtest.RequireCode(t, backend.CodeCancelled, err)
	require.Positive(t, got, "sound came while the rest was still to be made")
	require.NoError(t, st.Close())
	require.Equal(t, backend.StatusCancelled, l.Stored(st.Generation.ID).Status)
	require.Empty(t, l.Leftovers())
}

func TestSlowReaderHoldsUpNobody(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	st, err := l.Generations.Player.Stream(t.Context(), l.Request(studiotest.LongSentence(1000)))
	require.NoError(t, err)
	reads, goOn := make(chan struct{}), make(chan struct{})
	ended := make(chan error, 1)
	var got int
	go func() {
		first := true
		ended <- st.WriteTo(context.Background(), writerFunc(func(p []byte) (int, error) {
			if first {
				first = false
				close(reads)
				<-goOn
			}
			got += len(p)
			return len(p), nil
		}))
	}()
	<-reads
	next := l.Speak(l.Request("The next one in the queue."))
	streamed := l.Becomes(st.Generation.ID, backend.StatusComplete)
	close(goOn)
	require.NoError(t, <-ended)
	require.Equal(t, int(math.Round(streamed.Duration*24000))*2, got, "the slow reader gets all of it")
	require.NoError(t, st.Close())
	l.Settled(streamed.AudioPath, next.AudioPath)
}

func TestReaderThatGoesAwayCancels(t *testing.T) {
	l := studiotest.New(t, studiotest.SpeaksOnly("The first sentence."))
	st, err := l.Generations.Player.Stream(t.Context(), l.Request("The first sentence. The second sentence. And it stops here."))
	require.NoError(t, err)
	err = st.WriteTo(t.Context(), writerFunc(func([]byte) (int, error) { return 0, errors.New("broken pipe") }))
	backendtest.RequireCode(t, backend.CodeCancelled, err)
	require.NoError(t, st.Close())
	require.Equal(t, backend.StatusCancelled, l.Stored(st.Generation.ID).Status)
	require.Empty(t, l.Leftovers())
}

func TestReaderThatGoesAwayAfterTheEnd(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	st, err := l.Generations.Player.Stream(t.Context(), l.Request("All of it is there."))
	require.NoError(t, err)
	done := l.Becomes(st.Generation.ID, backend.StatusComplete)
	err = st.WriteTo(t.Context(), writerFunc(func([]byte) (int, error) { return 0, errors.New("broken pipe") }))
	require.ErrorContains(t, err, "broken pipe")
	require.NoError(t, st.Close())
	require.Equal(t, backend.StatusComplete, l.Stored(done.ID).Status)
	require.Equal(t, []string{done.AudioPath}, l.Files())
}

func TestStreamOfAFailingEngine(t *testing.T) {
	broken := backend.E(backend.CodeEngineFailed, "It broke.", "Try again.")
	t.Run("before the first sample", func(t *testing.T) {
		l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{Fail: broken}))
		_, err := l.Generations.Player.Stream(t.Context(), l.Request("Hello."))
		e := backendtest.Failure(t, backend.CodeEngineFailed, err)
		id, ok := e.Params["generation_id"].(string)
		require.True(t, ok)
		require.Equal(t, backend.StatusFailed, l.Stored(id).Status)
		require.Empty(t, l.Files())
	})
	t.Run("later", func(t *testing.T) {
		l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{Fail: broken, FailAfter: 2}))
		st, err := l.Generations.Player.Stream(t.Context(), l.Request("A sentence. Another sentence\ngoes on\nand on."))
		require.NoError(t, err)
		var got bytes.Buffer
		backendtest.RequireCode(t, backend.CodeEngineFailed, st.WriteTo(t.Context(), &got))
		require.Positive(t, got.Len(), "what was made before is heard")
		require.NoError(t, st.Close())
		require.Empty(t, l.Leftovers())
	})
}

func TestStreamWhoseClientLeavesBeforeTheFirstSample(t *testing.T) {
	engine, entered, _ := studiotest.Gated()
	l := studiotest.New(t, engine)
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := l.Generations.Player.Stream(ctx, l.Request("Hello."))
		ended <- err
	}()
	<-entered
	leave()
	backendtest.RequireCode(t, backend.CodeCancelled, <-ended)
	require.Empty(t, l.Files())
}

func TestRetryWhileAStreamStillReads(t *testing.T) {
	f := enginetest.NewFixture(enginetest.FixtureOptions{Fail: backend.ErrCancelled, FailAfter: 2})
	l := studiotest.New(t, f)
	st, err := l.Generations.Player.Stream(t.Context(), l.Request("A first sentence. A second sentence\ngoes on\nand on."))
	require.NoError(t, err)
	l.Becomes(st.Generation.ID, backend.StatusCancelled)
	_, err = l.Generations.Retry(t.Context(), st.Generation.ID, nil)
	require.NoError(t, err)
	l.Becomes(st.Generation.ID, backend.StatusCancelled) // it fails again at the same place
	var got bytes.Buffer
	backendtest.RequireCode(t, backend.CodeCancelled, st.WriteTo(t.Context(), &got))
	pcm, loud := got.Bytes(), 0
	for i := 0; i+1 < len(pcm); i += 2 {
		if int16(binary.LittleEndian.Uint16(pcm[i:])) != 0 {
			loud++
		}
	}
	require.Greater(t, loud, len(pcm)/4, "the first try's sound is still whole")
	require.NoError(t, st.Close())
	l.Settled()
}

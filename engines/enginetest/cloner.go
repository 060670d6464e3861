package enginetest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// RunCloner is Run for an engine that clones voices, with the voice of the first of two recordings, and checks that it keeps
// the contract of engines.Cloner.
func RunCloner(t *testing.T, open func(t *testing.T) engines.Cloner, recordings [2]audio.Buffer, s Suite) {
	t.Helper()
	Run(t, func(t *testing.T) engines.Speaker {
		t.Helper()
		return cloned{open(t), recorded(recordings[0], "first").Reference}
	}, s)
	for _, tt := range []struct {
		name string
		run  func(*testing.T, engines.Cloner, [2]audio.Buffer, Suite)
	}{
		{"a sample is needed", sampleNeeded},
		{"each sample has its voice", eachSample},
		{"a sample is prepared once", preparedOnce},
		{"a sample that is missing", sampleMissing},
		{"cancelled while the sample is read", cancelledInSample},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := open(t)
			defer func() { require.NoError(t, e.Close()) }()
			tt.run(t, e, recordings, s)
		})
	}
	t.Run("stored voices", func(t *testing.T) { storedVoices(t, open, recordings[0], s) })
}

// cloned is an engine with one voice, that of a sample.
type cloned struct {
	engines.Cloner
	ref *engines.Reference
}

func (c cloned) Info() engines.Info {
	info := c.Cloner.Info()
	info.Voices = []engines.Voice{{ID: "sample", Name: "Sample", Language: info.Languages[0]}}
	return info
}

func (c cloned) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	if u.Voice == "" || u.Voice == "sample" {
		u.Voice, u.Reference = "", c.ref
	}
	return c.Cloner.Speak(ctx, u, emit)
}

// counted is a reference that counts how often its recording was asked for.
type counted struct {
	*engines.Reference
	asked *atomic.Int32
}

func recorded(in audio.Buffer, key string) counted {
	c := counted{&engines.Reference{Key: key}, &atomic.Int32{}}
	c.Audio = func(context.Context) (audio.Buffer, error) {
		c.asked.Add(1)
		return in, nil
	}
	return c
}

func sampleNeeded(t *testing.T, e engines.Cloner, _ [2]audio.Buffer, s Suite) {
	require.NotNil(t, e.Info().Clones)
	if len(e.Info().Voices) == 0 {
		_, err := speak(t.Context(), e, engines.Utterance{Text: s.Text})
		require.Equal(t, backend.CodeEngineMismatch, backend.CodeOf(err))
	}
}

func eachSample(t *testing.T, e engines.Cloner, recordings [2]audio.Buffer, s Suite) {
	var said [2][]float32
	for i, key := range []string{"one", "two"} {
		u := engines.Utterance{Text: s.Text, Reference: recorded(recordings[i], key).Reference, Seed: 1}
		said[i] = say(t, e, u)
		require.Equal(t, said[i], say(t, e, u))
	}
	require.NotEqual(t, said[0], said[1])
}

func preparedOnce(t *testing.T, e engines.Cloner, recordings [2]audio.Buffer, s Suite) {
	c := recorded(recordings[0], "shared")
	u := engines.Utterance{Text: s.Text, Reference: c.Reference, Seed: 1}
	var wg sync.WaitGroup
	got, errs := make([][]float32, 8), make([]error, 8)
	for i := range errs {
		wg.Go(func() { got[i], errs[i] = speak(t.Context(), e, u) })
	}
	wg.Wait()
	for i, err := range errs {
		require.NoError(t, err)
		if e.Info().Reproducible {
			require.Equal(t, got[0], got[i], "caller %d got other samples", i)
		}
	}
	require.EqualValues(t, 1, c.asked.Load(), "times that the recording was read")
	e.Forget(c.Key)
	say(t, e, u)
	require.EqualValues(t, 2, c.asked.Load(), "a voice that was forgotten")
}

func sampleMissing(t *testing.T, e engines.Cloner, _ [2]audio.Buffer, s Suite) {
	ref := &engines.Reference{Key: "missing", Audio: func(context.Context) (audio.Buffer, error) {
		return audio.Buffer{}, backend.E(backend.CodeSampleNotFound, "The sample was deleted.", "")
	}}
	_, err := speak(t.Context(), e, engines.Utterance{Text: s.Text, Reference: ref})
	require.Equal(t, backend.CodeSampleNotFound, backend.CodeOf(err))
}

func cancelledInSample(t *testing.T, e engines.Cloner, _ [2]audio.Buffer, s Suite) {
	ctx, cancel := context.WithCancel(t.Context())
	ref := &engines.Reference{Key: "slow", Audio: func(inner context.Context) (audio.Buffer, error) {
		cancel()
		<-inner.Done()
		return audio.Buffer{}, backend.ErrCancelled
	}}
	_, err := speak(ctx, e, engines.Utterance{Text: s.Text, Reference: ref})
	require.ErrorIs(t, err, backend.ErrCancelled)
}

// storedVoices speaks with models that are opened one after another, as by new processes: the first stores the voice, and a
// later one prepares it again unless the file is exactly what was stored.
func storedVoices(t *testing.T, open func(t *testing.T) engines.Cloner, recording audio.Buffer, s Suite) {
	folder := filepath.Join(t.TempDir(), "states")
	say := func() (samples []float32, reads int32) {
		e, c := open(t), recorded(recording, "stored")
		defer func() { require.NoError(t, e.Close()) }()
		c.Cache = folder
		return say(t, e, engines.Utterance{Text: s.Text, Reference: c.Reference, Seed: 1}), c.asked.Load()
	}
	want, _ := say()
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	for _, damage := range []struct {
		name  string
		do    func() error
		asked int32
	}{
		{"unchanged", func() error { return nil }, 0},
		{"cut off", func() error { return os.Truncate(files[0], 100) }, 1},
		{"another file", func() error { return os.WriteFile(files[0], []byte("not a voice"), 0o600) }, 1},
		{"no folder", func() error { return errors.Join(os.RemoveAll(folder), os.WriteFile(folder, nil, 0o600)) }, 1},
	} {
		require.NoError(t, damage.do(), damage.name)
		got, reads := say()
		require.Equal(t, damage.asked, reads, "%s: times that the recording was read", damage.name)
		require.Equal(t, want, got, damage.name)
	}
}

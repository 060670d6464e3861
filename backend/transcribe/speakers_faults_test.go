package transcribe_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/transcribe/finder"
	"github.com/voicewright/voicewright/engines"
)

// acquired is an ear that does something before it is loaded.
type acquired struct {
	*ear
	before func(ctx context.Context, phase func(backend.Status)) error
}

func (a *acquired) AcquireDiarizer(ctx context.Context, phase func(backend.Status)) (*engines.LoadedDiarizer, error) {
	if a.before != nil {
		if err := a.before(ctx, phase); err != nil {
			return nil, err
		}
	}
	return a.ear.AcquireDiarizer(ctx, phase)
}

// searching is a transcript whose speakers are searched.
type searching struct {
	*lab
	ear  *acquired
	id   string
	free int64        // bytes of the disk
	keep atomic.Int64 // the retention; -1 for ever
}

func newSearching(t *testing.T) *searching {
	s := &searching{ear: &acquired{ear: &ear{downloaded: true}}, free: 1 << 40}
	s.keep.Store(-1)
	s.lab = newLab(t, func(l *lab) {
		l.options.Diarizers = s.ear
		l.options.Retention = func() time.Duration { return time.Duration(s.keep.Load()) }
		l.options.Free = func(context.Context, string) (int64, bool) { return s.free, true }
	})
	s.model.then(talks("How are you, Ben? I am fine, thank", "you. And how was it?"))
	s.ear.finds(turn(0, 2, 1), turn(2, 4.5, 0), turn(4.5, 6.5, 1))
	r := s.wav(sound(7 * time.Second))
	r.Speakers = &backend.SpeakerOptions{Mode: backend.SpeakersOff}
	r.Words = true
	got, err := s.service.Transcribe(t.Context(), r)
	require.NoError(t, err)
	s.id = got.ID
	return s
}

func (s *searching) request(reassign bool) finder.Request {
	return finder.Request{SpeakerOptions: backend.SpeakerOptions{Mode: backend.SpeakersAuto}, Reassign: reassign}
}

// stays requires that the text is there, that nothing is left over, and that the speakers are found by the next search.
func (s *searching) stays(t *testing.T) {
	t.Helper()
	now, err := s.service.Transcript(t.Context(), s.id)
	require.NoError(t, err)
	require.Equal(t, backend.StatusComplete, now.Status)
	require.Equal(t, "How are you, Ben? I am fine, thank you. And how was it?", strings.Join(strings.Fields(now.Text), " "))
	require.Nil(t, now.FindingSpeakers)
	require.Equal(t, []string{s.id + ".wav"}, s.files())
	s.ear.before, s.ear.hear, s.codecs.stream, s.free = nil, nil, nil, 1<<40
	got, err := s.service.Speakers.Find(t.Context(), s.id, s.request(false))
	require.NoError(t, err)
	require.Nil(t, got.SpeakersError)
	require.Equal(t, interview, spoken(got))
}

// What ends a search without its user is said with a remedy, and costs nothing but the speakers.
func TestSearchesThatFail(t *testing.T) {
	failsAs := func(code backend.Code) error { return backend.E(code, "It went wrong.", "Do something.") }
	loading := func(err error) func(*searching) {
		return func(s *searching) {
			s.ear.before = func(_ context.Context, phase func(backend.Status)) error {
				phase(backend.StatusDownloading)
				return err
			}
		}
	}
	listening := func(do func() error) func(*searching) {
		return func(s *searching) {
			s.ear.hear = func(context.Context, engines.SoundSource, engines.DiarizeOptions) error { return do() }
		}
	}
	for name, c := range map[string]struct {
		make func(*searching)
		want backend.Code
	}{
		"download failed":            {loading(failsAs(backend.CodeDownloadFailed)), backend.CodeDownloadFailed},
		"download cancelled":         {loading(failsAs(backend.CodeCancelled)), backend.CodeInterrupted},
		"offline":                    {loading(failsAs(backend.CodeOffline)), backend.CodeOffline},
		"damaged":                    {loading(failsAs(backend.CodeModelCorrupt)), backend.CodeModelCorrupt},
		"no memory for the model":    {loading(failsAs(backend.CodeOutOfMemory)), backend.CodeOutOfMemory},
		"unloaded while it is heard": {listening(func() error { return failsAs(backend.CodeCancelled) }), backend.CodeInterrupted},
		"no memory":                  {listening(func() error { return failsAs(backend.CodeOutOfMemory) }), backend.CodeOutOfMemory},
		"an error of no kind":        {listening(func() error { return errors.New("broken") }), backend.CodeInternal},
		"panic":                      {listening(func() error { panic("index out of range") }), backend.CodeInternal},
		"disk full": {func(s *searching) {
			s.free = 1000
			s.codecs.stream = func(_ context.Context, emit func([]float32) error) (err error) {
				for range 40 {
					err = errors.Join(err, emit(make([]float32, 1<<20)))
				}
				return err
			}
		}, backend.CodeInsufficientDisk},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSearching(t)
			c.make(s)
			_, err := s.service.Speakers.Find(t.Context(), s.id, s.request(false))
			require.Equal(t, c.want, backend.CodeOf(err))
			now, err := s.service.Transcript(t.Context(), s.id)
			require.NoError(t, err)
			require.NotNil(t, now.SpeakersError)
			require.Equal(t, c.want, now.SpeakersError.Code)
			require.NotEmpty(t, now.SpeakersError.Detail)
			require.NotEmpty(t, now.SpeakersError.Remedy)
			s.stays(t)
		})
	}
}

// Audio that was damaged on the disk is an error of the search, and the text stays.
func TestSearchInDamagedAudio(t *testing.T) {
	s := newSearching(t)
	now, err := s.service.Transcript(t.Context(), s.id)
	require.NoError(t, err)
	whole, err := os.ReadFile(now.AudioPath)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(now.AudioPath, []byte("no sound"), 0o600))
	_, err = s.service.Speakers.Find(t.Context(), s.id, s.request(false))
	require.Error(t, err)
	now, err = s.service.Transcript(t.Context(), s.id)
	require.NoError(t, err)
	require.NotEmpty(t, now.SpeakersError.Remedy)
	require.NoError(t, os.WriteFile(now.AudioPath, whole[:len(whole)/2], 0o600), "cut off")
	_, err = s.service.Speakers.Find(t.Context(), s.id, s.request(false))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(now.AudioPath, whole, 0o600))
	s.stays(t)
}

// Who needs the speakers gets the reason why there are none, as it was said, and keeps the text.
func TestNeededSpeakers(t *testing.T) {
	for name, hear := range map[string]func(ctx context.Context, s *searching) error{
		"failed": func(context.Context, *searching) error {
			return backend.E(backend.CodeOutOfMemory, "It does not fit.", "Close other programs.").With("needed_mb", 7)
		},
		"cancelled": func(ctx context.Context, s *searching) error {
			s.mu.Lock()
			id := s.events[len(s.events)-1].ID
			s.mu.Unlock()
			go func() { _, _ = s.service.Cancel(context.WithoutCancel(ctx), id) }()
			<-ctx.Done()
			return backend.ErrCancelled.WithCause(ctx.Err())
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSearching(t)
			s.ear.hear = func(ctx context.Context, _ engines.SoundSource, _ engines.DiarizeOptions) error { return hear(ctx, s) }
			for _, needed := range []bool{false, true} {
				r := s.wav(sound(6 * time.Second))
				r.Speakers, r.NeedSpeakers = &backend.SpeakerOptions{Mode: backend.SpeakersAuto}, needed
				got, err := s.service.Transcribe(t.Context(), r)
				require.Equal(t, backend.StatusComplete, got.Status)
				require.NotEmpty(t, got.Text)
				if !needed {
					require.NoError(t, err)
					continue
				}
				var why *backend.Error
				require.ErrorAs(t, err, &why)
				require.Equal(t, got.ID, why.Params["transcript_id"])
				if name == "failed" {
					require.Equal(t, backend.CodeOutOfMemory, why.Code)
					require.Equal(t, 7, why.Params["needed_mb"])
				} else {
					require.Equal(t, backend.CodeCancelled, why.Code)
				}
			}
		})
	}
}

// A search is cancelled in each of its stages, and the text stays.
func TestCancelledSearches(t *testing.T) {
	until := func(ctx context.Context) error {
		<-ctx.Done()
		return backend.ErrCancelled.WithCause(ctx.Err())
	}
	for name, c := range map[string]struct {
		make   func(*searching)
		status backend.Status
	}{
		"downloading": {func(s *searching) {
			s.ear.before = func(ctx context.Context, phase func(backend.Status)) error {
				phase(backend.StatusDownloading)
				return until(ctx)
			}
		}, backend.StatusDownloading},
		"loading": {func(s *searching) {
			s.ear.before = func(ctx context.Context, phase func(backend.Status)) error {
				phase(backend.StatusLoading)
				return until(ctx)
			}
		}, backend.StatusLoading},
		"reading": {func(s *searching) {
			s.codecs.stream = func(ctx context.Context, _ func([]float32) error) error { return until(ctx) }
		}, backend.StatusQueued},
		"listening": {func(s *searching) {
			s.ear.hear = func(ctx context.Context, _ engines.SoundSource, o engines.DiarizeOptions) error {
				o.Progress(0.5)
				return until(ctx)
			}
		}, backend.StatusListening},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSearching(t)
			c.make(s)
			_, err := s.service.Speakers.Submit(t.Context(), s.id, s.request(false))
			require.NoError(t, err)
			require.Eventually(t, func() bool {
				now, err := s.service.Transcript(t.Context(), s.id)
				return err == nil && now.FindingSpeakers != nil && now.FindingSpeakers.Status == c.status
			}, waitLimit, time.Millisecond)
			now, err := s.service.Cancel(t.Context(), s.id)
			require.NoError(t, err)
			require.Nil(t, now.SpeakersError, "the user knows why")
			_, err = s.service.Cancel(t.Context(), s.id)
			require.Equal(t, backend.CodeNotInProgress, backend.CodeOf(err))
			s.stays(t)
		})
	}
}

// One that waits for another is cancelled without waiting for it.
func TestCancelledInTheLine(t *testing.T) {
	s := newSearching(t)
	r := s.wav(sound(2 * time.Second))
	r.Speakers = &backend.SpeakerOptions{Mode: backend.SpeakersOff}
	other, err := s.service.Transcribe(t.Context(), r)
	require.NoError(t, err)
	s.ear.hear = func(ctx context.Context, _ engines.SoundSource, _ engines.DiarizeOptions) error {
		<-ctx.Done()
		return backend.ErrCancelled.WithCause(ctx.Err())
	}
	for _, id := range []string{s.id, other.ID} {
		_, err = s.service.Speakers.Submit(t.Context(), id, s.request(false))
		require.NoError(t, err)
	}
	now, err := s.service.Cancel(t.Context(), other.ID)
	require.NoError(t, err)
	require.Nil(t, now.SpeakersError)
	require.Nil(t, now.FindingSpeakers)
	now, err = s.service.Cancel(t.Context(), s.id)
	require.NoError(t, err)
	require.Nil(t, now.SpeakersError)
	require.NoError(t, s.service.Delete(t.Context(), other.ID))
	s.stays(t)
}

// The retention deletes no transcript whose speakers are being found, and leaves no file of one whose were.
func TestRetentionWaitsForSpeakers(t *testing.T) {
	s := newSearching(t)
	r := s.wav(sound(2 * time.Second))
	r.Speakers = &backend.SpeakerOptions{Mode: backend.SpeakersOff}
	other, err := s.service.Transcribe(t.Context(), r)
	require.NoError(t, err)
	s.ear.hear = func(ctx context.Context, _ engines.SoundSource, o engines.DiarizeOptions) error {
		o.Progress(0.5)
		<-ctx.Done()
		return backend.ErrCancelled.WithCause(ctx.Err())
	}
	_, err = s.service.Speakers.Submit(t.Context(), s.id, s.request(false))
	require.NoError(t, err)
	for _, id := range []string{s.id, other.ID} {
		_, err := s.store.UpdateTranscript(t.Context(), id, func(t *backend.Transcript) error {
			t.CreatedAt = time.Now().Add(-2 * time.Hour)
			return nil
		})
		require.NoError(t, err)
	}
	s.keep.Store(int64(time.Hour))
	ctx, cancel := context.WithCancel(t.Context())
	changed, done := make(chan struct{}), make(chan error)
	go func() { done <- s.service.Retain(ctx, changed) }()
	removed := func(id string) func() bool {
		return func() bool {
			_, err := s.store.Transcript(t.Context(), id)
			return err != nil
		}
	}
	require.Eventually(t, removed(other.ID), waitLimit, time.Millisecond)
	require.False(t, removed(s.id)(), "its speakers are being found")
	_, err = s.service.Cancel(t.Context(), s.id)
	require.NoError(t, err)
	changed <- struct{}{}
	require.Eventually(t, removed(s.id), waitLimit, time.Millisecond)
	cancel()
	require.NoError(t, <-done)
	require.Empty(t, s.files())
}

// Who follows a search sees what was edited meanwhile, and no older title or names.
func TestEditsDuringASearchAreShown(t *testing.T) {
	s := newSearching(t)
	var seen []backend.Transcript
	s.ear.hear = func(ctx context.Context, _ engines.SoundSource, o engines.DiarizeOptions) error {
		_, err := s.service.Edit(ctx, s.id, backend.TranscriptPatch{
			Title: new("Interview"), Segments: []backend.SegmentPatch{{ID: 1, Speaker: new("Anna")}},
		})
		s.mu.Lock()
		before := len(s.events)
		s.mu.Unlock()
		o.Progress(0.5)
		s.mu.Lock()
		seen = append(seen, s.events[before:]...)
		s.mu.Unlock()
		return err
	}
	_, err := s.service.Speakers.Find(t.Context(), s.id, s.request(false))
	require.NoError(t, err)
	require.Len(t, seen, 1)
	require.Equal(t, "Interview", seen[0].Title)
	require.Equal(t, "Anna", seen[0].Segments[0].Speaker)
	require.InDelta(t, 0.5, seen[0].FindingSpeakers.Progress, 0)
}

// Once a search is said to have ended, the next one may begin: the sound of the first is gone by then.
func TestTheSoundIsGoneBeforeTheNextSearch(t *testing.T) {
	s := newSearching(t)
	s.close()
	var files [][]string
	notify := s.options.Notify
	s.options.Notify = func(now backend.Transcript) {
		if notify(now); now.FindingSpeakers == nil {
			files = append(files, s.files())
		}
	}
	s.open()
	_, err := s.service.Speakers.Find(t.Context(), s.id, s.request(false))
	require.NoError(t, err)
	require.Equal(t, [][]string{{s.id + ".wav"}}, files)
}

// read is a store that does something after it read a transcript for the nth time.
type read struct {
	*memory
	n     atomic.Int64
	after func(n int64)
}

func (r *read) Transcript(ctx context.Context, id string) (backend.Transcript, error) {
	t, err := r.memory.Transcript(ctx, id)
	r.after(r.n.Add(1))
	return t, err
}

// Nor is an edit lost to who follows it that is made when the search begins, or a line that is split meanwhile.
func TestSplitsAndEarlyEditsDuringASearchAreShown(t *testing.T) {
	s := newSearching(t)
	s.close()
	var early error
	s.options.Store = &read{memory: s.store, after: func(n int64) {
		if n == 2 { // the first is that of the request
			_, early = s.service.Edit(t.Context(), s.id, backend.TranscriptPatch{Title: new("Interview")})
		}
	}}
	s.open()
	var seen []backend.Transcript
	show := func(o engines.DiarizeOptions) {
		o.Progress(0.5)
		s.mu.Lock()
		defer s.mu.Unlock()
		seen = append(seen, s.events[len(s.events)-1])
	}
	s.ear.hear = func(ctx context.Context, _ engines.SoundSource, o engines.DiarizeOptions) error {
		show(o)
		_, err := s.service.Speakers.Split(ctx, s.id, 1, 2)
		show(o)
		return err
	}
	_, err := s.service.Speakers.Find(t.Context(), s.id, s.request(false))
	require.NoError(t, err)
	require.NoError(t, early)
	require.Equal(t, "Interview", seen[0].Title)
	require.Len(t, seen[1].Segments, 3)
}

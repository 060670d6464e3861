package transcribe_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/sqlite/sqlitetest"
	"github.com/voicewright/voicewright/backend/transcribe"
	"github.com/voicewright/voicewright/backend/transcribe/finder"
	"github.com/voicewright/voicewright/engines"
)

// ear is the model that finds speakers, and its engine.
type ear struct {
	mu         sync.Mutex
	downloaded bool
	fetched    int // how often it was downloaded
	found      engines.Speakers
	hear       func(ctx context.Context, sound engines.SoundSource, o engines.DiarizeOptions) error // before found is returned
	print      func(samples []float32) []float32
	given      []engines.DiarizeOptions
}

func (e *ear) AcquireDiarizer(_ context.Context, phase func(backend.Status)) (*engines.LoadedDiarizer, error) {
	if !e.DiarizerDownloaded() {
		phase(backend.StatusDownloading)
		e.mu.Lock()
		e.downloaded = true
		e.fetched++
		e.mu.Unlock()
	}
	phase(backend.StatusLoading)
	return &engines.LoadedDiarizer{Diarizer: e, Model: "speakers", Release: func() {}}, nil
}

func (e *ear) AcquireDiarizerDownloaded(ctx context.Context) (*engines.LoadedDiarizer, error) {
	if !e.DiarizerDownloaded() {
		return nil, backend.E(backend.CodeModelNotDownloaded, "Speakers is not downloaded.", "Download it first.")
	}
	return e.AcquireDiarizer(ctx, func(backend.Status) {})
}

func (e *ear) DiarizerDownloaded() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.downloaded
}

func (e *ear) Info() engines.Info { return engines.Info{} }
func (e *ear) Close() error       { return nil }

func (e *ear) Diarize(ctx context.Context, sound engines.SoundSource, o engines.DiarizeOptions) (engines.Speakers, error) {
	e.mu.Lock()
	e.given = append(e.given, o)
	hear, found := e.hear, e.found
	e.mu.Unlock()
	if hear != nil {
		if err := hear(ctx, sound, o); err != nil {
			return engines.Speakers{}, err
		}
	}
	return found, nil
}

func (e *ear) Print(_ context.Context, samples []float32) ([]float32, bool, error) {
	if len(samples) == 0 {
		return nil, false, nil
	}
	return e.print(samples), true, nil
}

func (e *ear) finds(turns ...engines.Turn) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.found.Turns = turns
}

func turn(start, end float64, speaker int) engines.Turn {
	return engines.Turn{Start: start, End: end, Speaker: speaker}
}

// talks returns a run that hears words of half a second, and one segment for each text.
func talks(texts ...string) runFunc {
	return func(_ context.Context, _ []float32, _ engines.TranscribeOptions, emit func(backend.Segment) error) (string, error) {
		at := 0.0
		for _, text := range texts {
			s := backend.Segment{Start: at, Text: " " + text}
			for word := range strings.FieldsSeq(text) {
				s.Words = append(s.Words, backend.HeardWord{Word: " " + word, Start: at, End: at + 0.5})
				at += 0.5
			}
			s.End = at
			if err := emit(s); err != nil {
				return "", err
			}
		}
		return "en", nil
	}
}

// listening returns a lab whose model for speakers is downloaded: two people who talk for seven seconds.
func listening(t *testing.T) (*lab, *ear) {
	e := &ear{downloaded: true}
	e.finds(turn(0, 2, 1), turn(2, 4.5, 0), turn(4.5, 6.5, 1))
	l := newLab(t, func(l *lab) { l.options.Diarizers = e })
	l.model.then(talks("How are you, Ben? I am fine, thank", "you. And how was it?"))
	return l, e
}

func spoken(t backend.Transcript) []string {
	var out []string
	for _, s := range t.Segments {
		out = append(out, s.Speaker+": "+strings.TrimSpace(s.Text))
	}
	return out
}

var interview = []string{"Speaker 1: How are you, Ben?", "Speaker 2: I am fine, thank", "Speaker 2: you.", "Speaker 1: And how was it?"}

func TestSpeakersAreFoundAfterTheText(t *testing.T) {
	l, e := listening(t)
	var complete []bool
	e.hear = func(ctx context.Context, sound engines.SoundSource, o engines.DiarizeOptions) error {
		require.Equal(t, 7*rate, sound.Samples())
		half := make([]float32, rate)
		require.NoError(t, sound.Read(ctx, half, 5*rate))
		require.NotZero(t, half[0])
		o.Progress(0.5)
		now, err := l.service.Transcript(ctx, "0190-1")
		require.NoError(t, err)
		require.Equal(t, &backend.FindingSpeakers{Status: backend.StatusListening, Progress: 0.5}, now.FindingSpeakers)
		complete = append(complete, now.Status == backend.StatusComplete && len(now.Segments) == 2)
		return nil
	}
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(7*time.Second)))
	require.NoError(t, err)
	require.Equal(t, []bool{true}, complete)
	require.Equal(t, interview, spoken(got))
	require.Nil(t, got.FindingSpeakers)
	require.Nil(t, got.SpeakersError)
	require.Equal(t, backend.SpeakerTurn{Start: 0, End: 2, Speaker: "Speaker 1"}, got.Turns[0])
	require.Equal(t, "How are you, Ben?\n\nI am fine, thank you.\n\nAnd how was it?", got.Text)
	require.Equal(t, 20, e.given[0].Max)
	require.False(t, got.CanUndo, "they belong to the transcription")
	require.Equal(t, []string{"0190-1.wav"}, l.files())

	l.mu.Lock()
	defer l.mu.Unlock()
	for _, event := range l.events[:len(l.events)-1] {
		require.False(t, event.Status == backend.StatusComplete && event.FindingSpeakers == nil, "an end before the end")
	}
}

func TestNothingIsDownloadedUnasked(t *testing.T) {
	l, e := listening(t)
	e.downloaded = false
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(7*time.Second)))
	require.NoError(t, err)
	require.Equal(t, []string{": How are you, Ben? I am fine, thank", ": you. And how was it?"}, spoken(got))
	require.False(t, l.model.given[0].Words)
	require.Zero(t, e.fetched)

	r := l.wav(sound(6 * time.Second))
	r.Speakers = &backend.SpeakerOptions{Mode: backend.SpeakersAuto}
	r.NoDownload = true
	got, err = l.service.Transcribe(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, backend.CodeModelNotDownloaded, got.SpeakersError.Code)
	require.Equal(t, backend.StatusComplete, got.Status)

	got, err = l.service.Speakers.Find(t.Context(), got.ID, finder.Request{SpeakerOptions: *r.Speakers})
	require.NoError(t, err)
	require.Equal(t, 1, e.fetched)
	require.Equal(t, interview, spoken(got))
	require.Nil(t, got.SpeakersError)
}

func TestNumbersOfSpeakers(t *testing.T) {
	l, e := listening(t)
	for _, o := range []backend.SpeakerOptions{
		{Mode: "some"}, {Mode: backend.SpeakersNumber}, {Mode: backend.SpeakersNumber, Count: -1}, {Mode: backend.SpeakersAuto, Count: 101},
	} {
		r := l.wav(sound(time.Second))
		r.Speakers = &o
		var invalid *backend.ValidationError
		_, err := l.service.Submit(t.Context(), r)
		require.ErrorAs(t, err, &invalid, "%+v", o)
	}
	e.found.Fewer, e.found.Uncounted = true, true
	r := l.wav(sound(6 * time.Second))
	r.Speakers = &backend.SpeakerOptions{Mode: backend.SpeakersNumber, Count: 7}
	got, err := l.service.Transcribe(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, 7, e.given[0].Count)
	require.Len(t, got.Warnings, 2)
	require.Equal(t, backend.WarningSpeakersUncounted, got.Warnings[0].Code)
	require.Equal(t, backend.WarningSpeakersFewer, got.Warnings[1].Code)

	e.found.Fewer, e.found.Uncounted = false, false
	got, err = l.service.Speakers.Find(t.Context(), got.ID, finder.Request{SpeakerOptions: backend.SpeakerOptions{Mode: "auto", Count: 3}})
	require.NoError(t, err)
	require.Equal(t, 3, e.given[1].Max)
	require.Empty(t, got.Warnings)

	got, err = l.service.Speakers.Find(t.Context(), got.ID, finder.Request{SpeakerOptions: backend.SpeakerOptions{Mode: "off"}})
	require.NoError(t, err)
	require.Equal(t, []string{": How are you, Ben? I am fine, thank", ": you. And how was it?"}, spoken(got))
	require.Empty(t, got.Turns)
	got, err = l.service.Undo(t.Context(), got.ID)
	require.NoError(t, err)
	require.Equal(t, interview, spoken(got))
}

// Only who names a number is told that the sound is too short for it: a number or the most.
func TestNumbersThatHadNoEffect(t *testing.T) {
	l, e := listening(t)
	e.found.Uncounted = true
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(7*time.Second)))
	require.NoError(t, err)
	require.Equal(t, interview, spoken(got))
	require.Empty(t, got.Warnings, "nobody named a number")
	for _, o := range []backend.SpeakerOptions{{Mode: "auto", Count: 1}, {Mode: "auto"}, {Mode: "number", Count: 3}} {
		got, err = l.service.Speakers.Find(t.Context(), got.ID, finder.Request{SpeakerOptions: o})
		require.NoError(t, err)
		require.Equal(t, o.Count > 0, len(got.Warnings) == 1 && got.Warnings[0].Code == backend.WarningSpeakersUncounted, "%+v", o)
	}
}

// A search has the pace that it names, else that of the settings.
func TestPacesOfSearches(t *testing.T) {
	l, e := listening(t)
	set := backend.PaceBalanced
	l.close()
	l.options.SpeakerPace = func() backend.SpeakerPace { return set }
	l.open()
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(7*time.Second)))
	require.NoError(t, err)
	for _, pace := range []backend.SpeakerPace{backend.PaceFast, backend.PaceThorough, "", "sloppy"} {
		_, err = l.service.Speakers.Find(t.Context(), got.ID, finder.Request{SpeakerOptions: backend.SpeakerOptions{Mode: "auto", Pace: pace}})
		require.Equal(t, pace == "sloppy", err != nil, err)
	}
	set = backend.PaceFast
	r := l.wav(sound(6 * time.Second))
	r.Speakers = &backend.SpeakerOptions{Mode: backend.SpeakersAuto}
	_, err = l.service.Transcribe(t.Context(), r)
	require.NoError(t, err)
	var paces []engines.Pace
	for _, o := range e.given {
		paces = append(paces, o.Pace)
	}
	require.Equal(t, []engines.Pace{engines.Balanced, engines.Fast, engines.Thorough, engines.Balanced, engines.Fast}, paces)
}

func TestCorrections(t *testing.T) {
	l, e := listening(t)
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(7*time.Second)))
	require.NoError(t, err)
	id := got.ID
	edit := func(p backend.TranscriptPatch) {
		t.Helper()
		got, err = l.service.Edit(t.Context(), id, p)
		require.NoError(t, err)
	}
	edit(backend.TranscriptPatch{Speakers: []backend.SpeakerPatch{{Name: "Speaker 1", NewName: " Anna "}}})
	require.Equal(t, []string{"Anna: How are you, Ben?", "Speaker 2: I am fine, thank", "Speaker 2: you.", "Anna: And how was it?"}, spoken(got))
	require.Equal(t, "Anna", got.Turns[0].Speaker)
	_, err = l.service.Edit(t.Context(), id, backend.TranscriptPatch{Speakers: []backend.SpeakerPatch{{Name: "Eve", NewName: "Anna"}}})
	require.ErrorContains(t, err, "no speaker Eve")

	got, err = l.service.Speakers.Split(t.Context(), id, got.Segments[1].ID, 4)
	require.NoError(t, err)
	edit(backend.TranscriptPatch{Segments: []backend.SegmentPatch{{ID: got.Segments[2].ID, Speaker: new("Clara")}}})
	require.Equal(t, []string{"Anna: How are you, Ben?", "Speaker 2: I am fine,", "Clara: thank", "Speaker 2: you.", "Anna: And how was it?"}, spoken(got))
	for _, word := range []int{1, 4} {
		_, err = l.service.Speakers.Split(t.Context(), id, got.Segments[1].ID, word)
		require.Error(t, err)
	}

	e.finds(turn(0, 2, 0), turn(2, 4, 1), turn(4, 6, 2))
	got, err = l.service.Speakers.Find(t.Context(), id, finder.Request{SpeakerOptions: backend.SpeakerOptions{Mode: "auto"}})
	require.NoError(t, err)
	require.Contains(t, spoken(got), "Clara: thank")
	require.Equal(t, "Anna: How are you, Ben?", spoken(got)[0])
	for range 4 { // found again, set, split, named
		got, err = l.service.Undo(t.Context(), id)
		require.NoError(t, err)
	}
	require.Equal(t, interview, spoken(got))
	require.Equal(t, "Speaker 1", got.Turns[0].Speaker)
}

func TestReassignByTheVoicesOfLines(t *testing.T) {
	l, e := listening(t)
	l.model.then(talks("One is mine.", "Two is yours.", "Three is mine.", "Four is yours."))
	e.finds(turn(0, 6, 0)) // both voices taken for one
	e.print = byLoudness
	got, err := l.service.Transcribe(t.Context(), l.wav(twoVoices()))
	require.NoError(t, err)
	require.Equal(t, "Speaker 1: Two is yours.", spoken(got)[1])
	_, err = l.service.Speakers.Find(t.Context(), got.ID, finder.Request{Reassign: true})
	require.ErrorContains(t, err, "Set the speaker of a line first")

	got, err = l.service.Edit(t.Context(), got.ID, backend.TranscriptPatch{Segments: []backend.SegmentPatch{
		{ID: got.Segments[0].ID, Speaker: new("Anna")}, {ID: got.Segments[1].ID, Speaker: new("Ben")},
	}})
	require.NoError(t, err)
	got, err = l.service.Speakers.Find(t.Context(), got.ID, finder.Request{Reassign: true})
	require.NoError(t, err)
	require.Equal(t, []string{"Anna: One is mine.", "Ben: Two is yours.", "Anna: Three is mine.", "Ben: Four is yours."}, spoken(got))
	require.True(t, got.Segments[3].SpeakerFound)
	require.False(t, got.Segments[0].SpeakerFound)
}

// What a person changes while the lines are compared stays: the voices have the names of then, and changed lines their speakers.
func TestEditsWhileLinesAreReassigned(t *testing.T) {
	names := func(list ...string) (out []backend.SpeakerPatch) {
		for i := 0; i < len(list); i += 2 {
			out = append(out, backend.SpeakerPatch{Name: list[i], NewName: list[i+1]})
		}
		return out
	}
	for name, c := range map[string]struct {
		edit backend.TranscriptPatch
		want []string
	}{
		"renamed": {
			backend.TranscriptPatch{Speakers: names("Anna", "Eva", "Speaker 1", "Clara")},
			[]string{"Eva: One is mine.", "Ben: Two is yours.", "Eva: Three is mine.", "Ben: Four is yours."},
		},
		"swapped": {
			backend.TranscriptPatch{Speakers: names("Anna", "Ben", "Ben", "Anna")},
			[]string{"Ben: One is mine.", "Anna: Two is yours.", "Ben: Three is mine.", "Anna: Four is yours."},
		},
		"merged": {
			backend.TranscriptPatch{Speakers: names("Anna", "Ben")},
			[]string{"Ben: One is mine.", "Ben: Two is yours.", "Ben: Three is mine.", "Ben: Four is yours."},
		},
		"set": {
			backend.TranscriptPatch{Segments: []backend.SegmentPatch{{ID: 1, Speaker: new("Eva")}, {ID: 3, Speaker: new("Clara")}}},
			[]string{"Eva: One is mine.", "Ben: Two is yours.", "Clara: Three is mine.", "Ben: Four is yours."},
		},
		"other words": {
			backend.TranscriptPatch{Segments: []backend.SegmentPatch{{ID: 3, Text: new("Three is whose?")}, {ID: 2, Text: new("")}}},
			[]string{"Anna: One is mine.", "Speaker 1: Three is whose?", "Speaker 1: Four is yours."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			l, e := listening(t)
			l.model.then(talks("One is mine.", "Two is yours.", "Three is mine.", "Four is yours."))
			e.finds(turn(0, 6, 0))
			got, err := l.service.Transcribe(t.Context(), l.wav(twoVoices()))
			require.NoError(t, err)
			_, err = l.service.Edit(t.Context(), got.ID, backend.TranscriptPatch{Segments: []backend.SegmentPatch{
				{ID: 1, Speaker: new("Anna")}, {ID: 2, Speaker: new("Ben")},
			}})
			require.NoError(t, err)
			prints, edited := 0, error(nil)
			e.print = func(samples []float32) []float32 {
				if prints++; prints == 1 {
					_, edited = l.service.Edit(t.Context(), got.ID, c.edit)
				}
				return byLoudness(samples)
			}
			now, err := l.service.Speakers.Find(t.Context(), got.ID, finder.Request{Reassign: true})
			require.NoError(t, err)
			require.NoError(t, edited)
			require.Equal(t, c.want, spoken(now))
		})
	}
}

// twoVoices returns six seconds in which a loud voice and a quiet one take turns, and byLoudness the print of either.
func twoVoices() (talk []float32) {
	for i := range 6 * rate {
		talk = append(talk, []float32{0.5, 0.1}[i*2/rate/3%2])
	}
	return talk
}

func byLoudness(samples []float32) []float32 {
	if samples[0] > 0.3 {
		return []float32{1, 0}
	}
	return []float32{0, 1}
}

func TestATranscriptStaysWithoutItsSpeakers(t *testing.T) {
	l, e := listening(t)
	e.hear = func(context.Context, engines.SoundSource, engines.DiarizeOptions) error { return errors.New("broken") }
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(7*time.Second)))
	require.NoError(t, err)
	require.Equal(t, backend.StatusComplete, got.Status)
	require.Equal(t, backend.CodeInternal, got.SpeakersError.Code)
	require.Len(t, got.Segments, 2)

	e.hear = func(ctx context.Context, _ engines.SoundSource, _ engines.DiarizeOptions) error {
		<-ctx.Done()
		return backend.ErrCancelled.WithCause(ctx.Err())
	}
	auto := finder.Request{SpeakerOptions: backend.SpeakerOptions{Mode: "auto"}}
	now, err := l.service.Speakers.Submit(t.Context(), got.ID, auto)
	require.NoError(t, err)
	require.NotNil(t, now.FindingSpeakers)
	require.Nil(t, now.SpeakersError)
	_, err = l.service.Speakers.Submit(t.Context(), got.ID, auto)
	require.Equal(t, backend.CodeNotInProgress, backend.CodeOf(err))
	_, err = l.service.SubmitRerun(t.Context(), got.ID, transcribe.RerunRequest{})
	require.Equal(t, backend.CodeNotInProgress, backend.CodeOf(err))
	edited, err := l.service.Edit(t.Context(), got.ID, backend.TranscriptPatch{Segments: []backend.SegmentPatch{{ID: 1, Speaker: new("Anna")}}})
	require.NoError(t, err)
	require.NotNil(t, edited.FindingSpeakers)
	got, err = l.service.Cancel(t.Context(), got.ID)
	require.NoError(t, err)
	require.Nil(t, got.SpeakersError)
	require.Nil(t, got.FindingSpeakers)
	require.Equal(t, "Anna: How are you, Ben? I am fine, thank", spoken(got)[0])
	require.Equal(t, []string{"0190-1.wav"}, l.files())

	_, err = l.service.Speakers.Submit(t.Context(), got.ID, auto)
	require.NoError(t, err)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	require.NoError(t, l.service.Close(ended))
	l.open()
	got, err = l.service.Transcript(t.Context(), got.ID)
	require.NoError(t, err)
	require.Equal(t, backend.CodeInterrupted, got.SpeakersError.Code)
	e.hear = nil
	got, err = l.service.Speakers.Find(t.Context(), got.ID, auto)
	require.NoError(t, err)
	require.Nil(t, got.SpeakersError)

	e.hear = func(ctx context.Context, _ engines.SoundSource, _ engines.DiarizeOptions) error {
		<-ctx.Done()
		return backend.ErrCancelled.WithCause(ctx.Err())
	}
	_, err = l.service.Speakers.Submit(t.Context(), got.ID, auto)
	require.NoError(t, err)
	require.NoError(t, l.service.Delete(t.Context(), got.ID))
	require.Empty(t, l.files())
}

// What is on the disk while the speakers are found says that they were not, in case that the program is killed then.
func TestKilledWhileSpeakersAreFound(t *testing.T) {
	l, e := listening(t)
	e.hear = func(ctx context.Context, _ engines.SoundSource, _ engines.DiarizeOptions) error {
		row, err := l.store.Transcript(ctx, "0190-1")
		require.NoError(t, err)
		require.Equal(t, backend.StatusComplete, row.Status)
		require.Equal(t, backend.CodeInterrupted, row.SpeakersError.Code)
		return nil
	}
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(7*time.Second)))
	require.NoError(t, err)
	require.NoError(t, os.Remove(got.AudioPath))
	_, err = l.service.Speakers.Submit(t.Context(), got.ID, finder.Request{SpeakerOptions: backend.SpeakerOptions{Mode: "auto"}})
	require.Equal(t, backend.CodeAudioMissing, backend.CodeOf(err))
}

// A part that is transcribed again has the speakers that were found before, and all of it finds them again.
func TestRerunKeepsSpeakers(t *testing.T) {
	l, e := listening(t)
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(7*time.Second)))
	require.NoError(t, err)
	_, err = l.service.Edit(t.Context(), got.ID, backend.TranscriptPatch{Speakers: []backend.SpeakerPatch{{Name: "Speaker 2", NewName: "Ben"}}})
	require.NoError(t, err)
	l.model.then(talks("I was well."))
	got, err = l.service.Rerun(t.Context(), got.ID, transcribe.RerunRequest{From: 2, To: 3.9})
	require.NoError(t, err)
	require.Equal(t, []string{"Speaker 1: How are you, Ben?", "Ben: I was well.", "Ben: you.", "Speaker 1: And how was it?"}, spoken(got))
	require.Len(t, e.given, 1)
	l.model.then(talks("How are you, Ben? I am fine, thank", "you. And how was it?"))
	got, err = l.service.Rerun(t.Context(), got.ID, transcribe.RerunRequest{})
	require.NoError(t, err)
	require.Equal(t, []string{"Speaker 1: How are you, Ben?", "Ben: I am fine, thank", "Ben: you.", "Speaker 1: And how was it?"}, spoken(got))
	require.Len(t, e.given, 2)
}

// The speakers that a rerun finds are undone with it, in one step, also where they speak at other times than those found before, and
// names that were given between.
func TestUndoOfARerunThatFindsSpeakers(t *testing.T) {
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: sqlitetest.Migrated(t, filepath.Join(t.TempDir(), "voicewright.db"))})
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	e := &ear{downloaded: true}
	e.finds(turn(0, 0.9, 0), turn(1.1, 2, 0), turn(2, 4.5, 1))
	l := newLab(t, func(l *lab) { l.options.Diarizers, l.options.Store = e, db })
	lines := talks("How are you, Ben?", "I am fine, thank you.")
	l.model.then(lines)
	first, err := l.service.Transcribe(t.Context(), l.wav(sound(7*time.Second)))
	require.NoError(t, err)
	id := first.ID
	named, err := l.service.Edit(t.Context(), id, backend.TranscriptPatch{Speakers: []backend.SpeakerPatch{{Name: "Speaker 1", NewName: "Anna"}}})
	require.NoError(t, err)

	e.finds(turn(0, 2, 0), turn(2, 4.5, 1))
	l.model.then(lines)
	again, err := l.service.Rerun(t.Context(), id, transcribe.RerunRequest{})
	require.NoError(t, err)
	require.Len(t, again.Turns, 2)
	mine, err := l.service.Edit(t.Context(), id, backend.TranscriptPatch{Speakers: []backend.SpeakerPatch{{Name: "Speaker 2", NewName: "Ben"}}})
	require.NoError(t, err)
	require.Equal(t, []string{"Anna: How are you, Ben?", "Ben: I am fine, thank you."}, spoken(mine))
	for _, want := range []backend.Transcript{again, named, first} {
		got, err := l.service.Undo(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, spoken(want), spoken(got))
		require.Equal(t, want.Turns, got.Turns)
		require.Equal(t, want.Text, got.Text)
		require.Equal(t, want.CanUndo, got.CanUndo)
	}
}

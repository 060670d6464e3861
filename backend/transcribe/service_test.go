package transcribe_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/transcribe"
	"github.com/voicewright/voicewright/engines"
)

func TestFileBecomesATranscript(t *testing.T) {
	l := newLab(t)
	l.model.run = says(" Hello there.", " How are you?")
	l.model.acquire = func(_ context.Context, phase func(backend.Status)) error {
		phase(backend.StatusDownloading)
		phase(backend.StatusLoading)
		return nil
	}
	r := l.wav(sound(3 * time.Second))
	got, err := l.service.Transcribe(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, backend.StatusComplete, got.Status)
	require.Equal(t, "Hello there. How are you?", got.Text)
	require.Equal(t, "en", got.Language)
	require.Equal(t, "talk", got.Title)
	require.Equal(t, 3.0, got.Duration)
	require.Equal(t, "whisper-base", got.ModelName)
	require.Equal(t, 1.0, got.Progress)
	require.Equal(t, []int{1, 2}, []int{got.Segments[0].ID, got.Segments[1].ID})
	require.Equal(t, []string{filepath.Base(got.AudioPath)}, l.files())
	require.NoFileExists(t, r.Path, "the upload belongs to the service")
	require.Equal(t, []backend.Status{
		backend.StatusQueued, backend.StatusDownloading, backend.StatusLoading, backend.StatusTranscribing, backend.StatusComplete,
	}, l.statuses())
}

func TestAudioIsStoredCompressedWherePossible(t *testing.T) {
	l := newLab(t, func(l *lab) { l.codecs.opus = true })
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(time.Second)))
	require.NoError(t, err)
	require.Equal(t, ".opus", filepath.Ext(got.AudioPath))
	require.Equal(t, []string{filepath.Base(got.AudioPath)}, l.files())
}

func TestTextIsShownWhileItIsTranscribed(t *testing.T) {
	l := newLab(t)
	go1, go2 := make(chan struct{}), make(chan struct{})
	l.model.run = func(ctx context.Context, samples []float32, o engines.TranscribeOptions, emit func(backend.Segment) error) (string, error) {
		err := emit(backend.Segment{End: 1, Text: " First."})
		o.Progress(0.5)
		close(go1)
		<-go2
		return "en", err
	}
	got, err := l.service.Submit(t.Context(), l.wav(sound(4*time.Second)))
	require.NoError(t, err)
	<-go1
	now, err := l.service.Transcript(t.Context(), got.ID)
	require.NoError(t, err)
	require.Equal(t, "First.", now.Text)
	require.Len(t, now.Segments, 1)
	require.InDelta(t, 0.5, now.Progress, 1e-6)
	text := "Edited."
	_, err = l.service.Edit(t.Context(), got.ID, backend.TranscriptPatch{Segments: []backend.SegmentPatch{{ID: 1, Text: &text}}})
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)
	_, err = l.service.Edit(t.Context(), got.ID, backend.TranscriptPatch{Title: &text})
	require.NoError(t, err)
	close(go2)
	l.becomes(got.ID, backend.StatusComplete)
}

func TestSilenceIsNeverPassedToTheModel(t *testing.T) {
	for name, length := range map[string]time.Duration{"a frame": time.Millisecond, "short": 2 * time.Second, "20 minutes": 20 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			got, err := l.service.Transcribe(t.Context(), l.wav(silence(length)))
			require.NoError(t, err)
			require.Empty(t, got.Text)
			require.Empty(t, got.Segments)
			require.Empty(t, l.model.lengths)
		})
	}
}

func TestLongSilenceInSpeechIsLeftOut(t *testing.T) {
	l := newLab(t)
	audio := append(append(sound(2*time.Second), silence(100*time.Second)...), sound(3*time.Second)...)
	got, err := l.service.Transcribe(t.Context(), l.wav(audio))
	require.NoError(t, err)
	require.Len(t, got.Segments, 2)
	require.Equal(t, 0.0, got.Segments[0].Start)
	require.InDelta(t, 102, got.Segments[1].Start, 0.6, "at its place in the audio")

	l.model.lengths = nil
	short := append(append(sound(2*time.Second), silence(5*time.Second)...), sound(3*time.Second)...)
	_, err = l.service.Transcribe(t.Context(), l.wav(short))
	require.NoError(t, err)
	require.Equal(t, []int{10 * rate}, l.model.lengths, "a pause stays, as it is one run")

	l.model.lengths = nil
	r := l.wav(audio)
	r.VAD = new(false)
	_, err = l.service.Transcribe(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, []int{105 * rate}, l.model.lengths, "everything")
}

// Noise is left out as silence is, but for speech that the detector finds in it.
func TestNoiseIsNeverPassedToTheModel(t *testing.T) {
	noise := make([]float32, 100*rate)
	x := uint32(1)
	for i := range noise {
		x = 1664525*x + 1013904223
		noise[i] = float32(int32(x)) / (1 << 33)
	}
	l := newLab(t)
	got, err := l.service.Transcribe(t.Context(), l.wav(noise))
	require.NoError(t, err)
	require.Empty(t, got.Text)
	require.Empty(t, l.model.lengths)

	l.options.Detector.(*detector).speech = func([]float32) []engines.Span {
		return []engines.Span{{Start: 40 * rate, End: 42 * rate}}
	}
	got, err = l.service.Transcribe(t.Context(), l.wav(noise))
	require.NoError(t, err)
	require.Len(t, got.Segments, 1)
	require.InDelta(t, 39.5, got.Segments[0].Start, 1e-6)
	require.Equal(t, []int{3 * rate}, l.model.lengths)
}

func TestOnlySpeechIsTranscribedWithVAD(t *testing.T) {
	l := newLab(t)
	l.options.Detector.(*detector).speech = func([]float32) []engines.Span {
		return []engines.Span{{Start: 1 * rate, End: 2 * rate}, {Start: 5 * rate, End: 7 * rate}}
	}
	l.model.run = func(_ context.Context, _ []float32, _ engines.TranscribeOptions, emit func(backend.Segment) error) (string, error) {
		return "en", errors.Join(
			emit(backend.Segment{Start: 0, End: 0.5, Text: " One."}),
			emit(backend.Segment{Start: 1.1, End: 2.1, Text: " Two.", Words: []backend.HeardWord{{Word: "Two.", Start: 1.6, End: 2.1}}}),
			emit(backend.Segment{Start: 2.1, End: 4, Text: " Three."}))
	}
	r := l.wav(sound(10 * time.Second))
	r.VAD = new(true)
	got, err := l.service.Transcribe(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, []int{3*rate + rate/10}, l.model.lengths)
	var times []float64
	for _, s := range got.Segments {
		times = append(times, s.Start, s.End)
	}
	require.InDeltaSlice(t, []float64{1, 1.5, 5, 6, 6, 7}, times, 1e-3)
	require.InDelta(t, 5.5, got.Segments[1].Words[0].Start, 1e-3)
}

func TestLongAudioIsTranscribedInPieces(t *testing.T) {
	l := newLab(t)
	const minutes = 25
	l.codecs.stream = func(_ context.Context, emit func([]float32) error) error {
		for range minutes {
			if err := emit(sound(time.Minute)); err != nil {
				return err
			}
		}
		return nil
	}
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(time.Second)))
	require.NoError(t, err)
	require.Equal(t, minutes*60.0, got.Duration)
	total := 0
	for _, n := range l.model.lengths {
		require.LessOrEqual(t, n, 600*rate)
		total += n
	}
	require.Equal(t, minutes*60*rate, total, "each sample once")
	require.Len(t, l.model.lengths, 3)
	require.InDelta(t, float64(l.model.lengths[0])/rate, got.Segments[1].Start, 1e-6)
	require.Empty(t, l.model.given[0].Language)
	require.Equal(t, "en", l.model.given[1].Language, "as detected in the first piece")
}

func TestRequestsThatCannotBe(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*transcribe.Request)
		code   backend.Code
		field  string
	}{
		"unknown model":           {func(r *transcribe.Request) { r.ModelName = "whisper-xxl" }, backend.CodeModelUnknown, ""},
		"a voice":                 {func(r *transcribe.Request) { r.ModelName = "kokoro" }, backend.CodeEngineMismatch, ""},
		"no language":             {func(r *transcribe.Request) { r.Language = "klingonish" }, "", "language"},
		"another language":        {func(r *transcribe.Request) { r.Language = "ja" }, backend.CodeLanguageNotSupported, ""},
		"english only":            {func(r *transcribe.Request) { r.ModelName, r.Language = "whisper-base.en", "fr" }, backend.CodeLanguageNotSupported, ""},
		"english only translates": {func(r *transcribe.Request) { r.ModelName, r.Translate = "whisper-base.en", true }, "", "translate"},
		"no such generation": {func(r *transcribe.Request) {
			r.Source, r.GenerationID = backend.TranscriptOfGeneration, "none"
		}, backend.CodeGenerationNotFound, ""},
		"no such recording": {func(r *transcribe.Request) {
			r.Source, r.RecordingID = backend.TranscriptOfRecording, "none"
		}, backend.CodeNotFound, ""},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			r := l.wav(sound(time.Second))
			c.change(&r)
			_, err := l.service.Transcribe(t.Context(), r)
			if c.field != "" {
				var invalid *backend.ValidationError
				require.ErrorAs(t, err, &invalid)
				require.Equal(t, []string{"body", c.field}, invalid.Fields[0].Loc)
			} else {
				backendtest.RequireCode(t, c.code, err)
			}
			require.Empty(t, l.store.rows)
			require.NoFileExists(t, r.Path)
		})
	}
}

func TestEnglishIsTheLanguageOfAnEnglishModel(t *testing.T) {
	l := newLab(t)
	r := l.wav(sound(time.Second))
	r.ModelName, r.Language = "whisper-base.en", "en-GB"
	_, err := l.service.Transcribe(t.Context(), r)
	require.NoError(t, err)
}

func TestTextNamedMP3IsAFailureThatLeavesNothing(t *testing.T) {
	l := newLab(t)
	path := filepath.Join(t.TempDir(), "song.mp3")
	require.NoError(t, os.WriteFile(path, []byte("This is no sound.\n"), 0o600))
	got, err := l.service.Transcribe(t.Context(), l.file(path))
	code := backend.CodeOf(err)
	require.Contains(t, []backend.Code{backend.CodeUnsupportedMedia, backend.CodeRuntimeMissing}, code)
	require.Equal(t, backend.StatusFailed, got.Status)
	require.Equal(t, got.ID, backend.AsError(err).Params["transcript_id"])
	require.Empty(t, l.files())
	require.NoFileExists(t, path)
	require.Empty(t, l.model.lengths)
}

func TestCancelAtEveryStageLeavesNothing(t *testing.T) {
	stages := map[string]func(l *lab, reached chan<- struct{}){
		"while the audio is read": func(l *lab, reached chan<- struct{}) {
			l.codecs.stream = func(ctx context.Context, emit func([]float32) error) error {
				err := emit(sound(time.Second))
				close(reached)
				<-ctx.Done()
				return errors.Join(err, backend.ErrCancelled)
			}
		},
		"while the model is loaded": func(l *lab, reached chan<- struct{}) {
			l.model.acquire = func(ctx context.Context, phase func(backend.Status)) error {
				phase(backend.StatusLoading)
				close(reached)
				<-ctx.Done()
				return backend.ErrCancelled
			}
		},
		"while it is transcribed": func(l *lab, reached chan<- struct{}) {
			l.model.run = func(ctx context.Context, _ []float32, _ engines.TranscribeOptions, emit func(backend.Segment) error) (string, error) {
				err := emit(backend.Segment{End: 1, Text: " Half."})
				close(reached)
				<-ctx.Done()
				return "", errors.Join(err, backend.ErrCancelled)
			}
		},
	}
	for name, stage := range stages {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			reached := make(chan struct{})
			stage(l, reached)
			r := l.wav(sound(time.Second))
			got, err := l.service.Submit(t.Context(), r)
			require.NoError(t, err)
			<-reached
			got, err = l.service.Cancel(t.Context(), got.ID)
			require.NoError(t, err)
			require.Equal(t, backend.StatusCancelled, got.Status)
			require.Empty(t, got.Text)
			require.Empty(t, got.AudioPath)
			require.Empty(t, l.files())
			require.NoFileExists(t, r.Path)
			_, err = l.service.Cancel(t.Context(), got.ID)
			backendtest.RequireCode(t, backend.CodeNotInProgress, err)
		})
	}
}

func TestWaitingTranscriptsAreCancelledAndRefused(t *testing.T) {
	l := newLab(t, func(l *lab) { l.options.QueueLimit = 1 })
	open := make(chan struct{})
	entered := make(chan struct{}, 1)
	l.model.run = func(ctx context.Context, s []float32, o engines.TranscribeOptions, emit func(backend.Segment) error) (string, error) {
		entered <- struct{}{}
		<-open
		return says(" Done.")(ctx, s, o, emit)
	}
	first, err := l.service.Submit(t.Context(), l.wav(sound(time.Second)))
	require.NoError(t, err)
	<-entered
	second, err := l.service.Submit(t.Context(), l.wav(sound(time.Second)))
	require.NoError(t, err)
	refused := l.wav(sound(time.Second))
	_, err = l.service.Submit(t.Context(), refused)
	backendtest.RequireCode(t, backend.CodeQueueFull, err)
	require.NoFileExists(t, refused.Path)
	got, err := l.service.Cancel(t.Context(), second.ID)
	require.NoError(t, err)
	require.Equal(t, backend.StatusCancelled, got.Status)
	close(open)
	l.becomes(first.ID, backend.StatusComplete)
}

func TestFailedTranscriptionIsRepeated(t *testing.T) {
	l := newLab(t)
	l.model.run = func(_ context.Context, _ []float32, _ engines.TranscribeOptions, emit func(backend.Segment) error) (string, error) {
		_ = emit(backend.Segment{End: 1, Text: " So far."})
		return "", backend.E(backend.CodeOutOfMemory, "There is not enough memory.", "Use a smaller model.")
	}
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(2*time.Second)))
	backendtest.RequireCode(t, backend.CodeOutOfMemory, err)
	require.Equal(t, backend.StatusFailed, got.Status)
	require.Equal(t, "So far.", got.Text)
	require.FileExists(t, got.AudioPath, "what was read is not read again")

	l.model.then(says(" All of it."))
	got, err = l.service.Rerun(t.Context(), got.ID, transcribe.RerunRequest{})
	require.NoError(t, err)
	require.Equal(t, backend.StatusComplete, got.Status)
	require.Equal(t, "All of it.", got.Text)
	require.Nil(t, got.Error)
	require.Equal(t, []string{filepath.Base(got.AudioPath)}, l.files())
}

func TestPartIsTranscribedAgain(t *testing.T) {
	l := newLab(t)
	l.model.run = says(" One.", " Two.", " Three.", " Four.")
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(4*time.Second)))
	require.NoError(t, err)
	l.model.then(says(" New."))
	l.model.lengths = nil
	again, err := l.service.Rerun(t.Context(), got.ID, transcribe.RerunRequest{From: 1.2, To: 2.8})
	require.NoError(t, err)
	require.Equal(t, "One. New. Four.", again.Text)
	require.Equal(t, []int{2 * rate}, l.model.lengths, "the part is widened to whole segments")
	require.Equal(t, []int{1, 5, 4}, []int{again.Segments[0].ID, again.Segments[1].ID, again.Segments[2].ID})
	require.InDelta(t, 1.0, again.Segments[1].Start, 1e-6)
	require.Equal(t, []string{filepath.Base(got.AudioPath)}, l.files())

	back, err := l.service.Undo(t.Context(), got.ID)
	require.NoError(t, err)
	require.Equal(t, got.Segments, back.Segments)
}

func TestFailedRerunKeepsTheText(t *testing.T) {
	l := newLab(t)
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(2*time.Second)))
	require.NoError(t, err)
	l.model.then(func(context.Context, []float32, engines.TranscribeOptions, func(backend.Segment) error) (string, error) {
		return "", engines.Failed("decode", nil)
	})
	_, err = l.service.Rerun(t.Context(), got.ID, transcribe.RerunRequest{})
	backendtest.RequireCode(t, backend.CodeEngineFailed, err)
	now, err := l.service.Transcript(t.Context(), got.ID)
	require.NoError(t, err)
	require.Equal(t, backend.StatusComplete, now.Status)
	require.Equal(t, got.Text, now.Text)
	require.Equal(t, backend.CodeEngineFailed, now.Error.Code)
	require.FileExists(t, now.AudioPath)
}

func TestRerunThatCannotBe(t *testing.T) {
	l := newLab(t)
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(2*time.Second)))
	require.NoError(t, err)
	for _, r := range []transcribe.RerunRequest{{From: 2.5}, {From: -1}, {To: -1}, {From: 1, To: 0.5}} {
		_, err = l.service.SubmitRerun(t.Context(), got.ID, r)
		var invalid *backend.ValidationError
		require.ErrorAs(t, err, &invalid)
	}
	_, err = l.service.SubmitRerun(t.Context(), got.ID, transcribe.RerunRequest{Language: "ja"})
	backendtest.RequireCode(t, backend.CodeLanguageNotSupported, err)
	require.NoError(t, os.Remove(got.AudioPath))
	_, err = l.service.SubmitRerun(t.Context(), got.ID, transcribe.RerunRequest{})
	backendtest.RequireCode(t, backend.CodeAudioMissing, err)
}

func TestModelUnloadedByForceFailsTheRunAndKeepsTheAudio(t *testing.T) {
	l := newLab(t)
	l.model.run = func(context.Context, []float32, engines.TranscribeOptions, func(backend.Segment) error) (string, error) {
		return "", backend.ErrCancelled
	}
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(time.Second)))
	backendtest.RequireCode(t, backend.CodeInterrupted, err)
	require.Equal(t, backend.StatusFailed, got.Status)
	require.FileExists(t, got.AudioPath)
}

func TestPanicEndsOneTranscription(t *testing.T) {
	l := newLab(t)
	l.model.run = func(context.Context, []float32, engines.TranscribeOptions, func(backend.Segment) error) (string, error) {
		panic("secret words")
	}
	got, err := l.service.Transcribe(backend.WithRequestID(t.Context(), "r-1"), l.wav(sound(time.Second)))
	backendtest.RequireCode(t, backend.CodeInternal, err)
	require.Equal(t, "r-1", got.Error.Params["request_id"])
	require.NotContains(t, got.Error.Detail, "secret")
	l.model.then(says(" Fine."))
	got, err = l.service.Transcribe(t.Context(), l.wav(sound(time.Second)))
	require.NoError(t, err)
	require.Equal(t, "Fine.", got.Text)
}

func TestResultIsStoredLaterWhenTheDiskIsFull(t *testing.T) {
	l := newLab(t)
	full := true
	l.store.fail = func(_ string, tr backend.Transcript) error {
		if full && tr.Status == backend.StatusComplete {
			return backend.FileError("write", "the data directory", syscall.ENOSPC)
		}
		return nil
	}
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(time.Second)))
	require.NoError(t, err)
	require.Equal(t, "Hello there.", got.Text)
	now, err := l.service.Transcript(t.Context(), got.ID)
	require.NoError(t, err)
	require.Equal(t, backend.StatusComplete, now.Status)
	require.Equal(t, "Hello there.", now.Text)
	stored, err := l.store.Transcript(t.Context(), got.ID)
	require.NoError(t, err)
	require.Equal(t, backend.StatusTranscribing, stored.Status)

	l.store.mu.Lock()
	full = false
	l.store.mu.Unlock()
	l.close()
	stored, err = l.store.Transcript(t.Context(), got.ID)
	require.NoError(t, err)
	require.Equal(t, "Hello there.", stored.Text)
	require.FileExists(t, stored.AudioPath)
}

func TestFullDiskWhileTheAudioIsRead(t *testing.T) {
	l := newLab(t)
	l.codecs.stream = func(context.Context, func([]float32) error) error {
		return backend.FileError("decode", "the data directory", syscall.ENOSPC)
	}
	_, err := l.service.Transcribe(t.Context(), l.wav(sound(time.Second)))
	backendtest.RequireCode(t, backend.CodeInsufficientDisk, err)
	require.Empty(t, l.files())
}

func TestStartAfterACrash(t *testing.T) {
	l := newLab(t)
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(time.Second)))
	require.NoError(t, err)
	l.close()
	l.store.rows[got.ID].now.Status = backend.StatusTranscribing
	require.NoError(t, os.WriteFile(filepath.Join(l.options.Dir, "unfinished", "rest.wav"), nil, 0o600))
	for _, ending := range []string{".opus", ".mkv", ".audio"} {
		require.NoError(t, os.WriteFile(strings.TrimSuffix(got.AudioPath, ".wav")+ending, nil, 0o600))
	}
	l.open()
	require.Equal(t, []string{filepath.Base(got.AudioPath)}, l.files())
	got, err = l.service.Rerun(t.Context(), got.ID, transcribe.RerunRequest{})
	require.NoError(t, err)
	require.Equal(t, "Hello there.", got.Text)
}

// TestHalfOfAKilledCompressionGoes: the next start removes what ffmpeg had written.
func TestHalfOfAKilledCompressionGoes(t *testing.T) {
	l := newLab(t, func(l *lab) { l.codecs.opus, l.codecs.half = true, ".new-half" })
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(time.Second)))
	require.NoError(t, err)
	require.Equal(t, ".opus", filepath.Ext(got.AudioPath))
	l.close()
	l.open()
	require.Equal(t, []string{filepath.Base(got.AudioPath)}, l.files())
}

// TestDeletionThatAKillInterrupted removes the audio of a deleted transcript, and not that of one that is there.
func TestDeletionThatAKillInterrupted(t *testing.T) {
	l := newLab(t)
	kept, err := l.service.Transcribe(t.Context(), l.wav(sound(time.Second)))
	require.NoError(t, err)
	deleted, err := l.service.Transcribe(t.Context(), l.wav(sound(time.Second)))
	require.NoError(t, err)
	l.close()
	notes := files.Deletions{Notes: filepath.Join(l.options.Dir, "unfinished"), Log: slog.New(slog.DiscardHandler)}
	notes.Note(deleted.ID, kept.ID)
	_, err = l.store.DeleteTranscripts(t.Context(), []string{deleted.ID})
	require.NoError(t, err)
	require.FileExists(t, deleted.AudioPath)
	l.open()
	require.Equal(t, []string{filepath.Base(kept.AudioPath)}, l.files())
	require.NoError(t, l.service.Delete(t.Context(), kept.ID))
	require.Empty(t, l.files(), "the note goes with the audio")
}

// TestCloseEndsWhatWaits: the end of the program is no cancel. What ran and what waited can be transcribed again.
func TestCloseEndsWhatWaits(t *testing.T) {
	l := newLab(t)
	entered := make(chan struct{})
	l.model.run = func(ctx context.Context, _ []float32, _ engines.TranscribeOptions, _ func(backend.Segment) error) (string, error) {
		close(entered)
		<-ctx.Done()
		return "", backend.ErrCancelled
	}
	running, err := l.service.Submit(t.Context(), l.wav(sound(time.Second)))
	require.NoError(t, err)
	<-entered
	waiting, err := l.service.Submit(t.Context(), l.wav(sound(time.Second)))
	require.NoError(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, l.service.Close(ended))
	for _, id := range []string{running.ID, waiting.ID} {
		require.Equal(t, backend.CodeInterrupted, l.becomes(id, backend.StatusFailed).Error.Code)
	}
	_, err = l.service.Submit(t.Context(), l.wav(sound(time.Second)))
	backendtest.RequireCode(t, backend.CodeInterrupted, err)
	require.NoError(t, l.service.Close(t.Context()), "another call does nothing")

	l.model.then(says(" Hello there."))
	l.open()
	require.Len(t, l.files(), 2)
	for _, id := range []string{running.ID, waiting.ID} {
		again, err := l.service.Rerun(t.Context(), id, transcribe.RerunRequest{})
		require.NoError(t, err)
		require.Equal(t, "Hello there.", again.Text)
		require.NoError(t, l.service.Delete(t.Context(), id))
	}
	require.Empty(t, l.files())
}

// TestCloseWhileClientsWait: requests that wait for a text end with the program, which is no cancel either. What a user cancelled
// before stays cancelled.
func TestCloseWhileClientsWait(t *testing.T) {
	l := newLab(t)
	entered := make(chan struct{}, 1)
	blocked := make(chan struct{})
	l.model.run = func(context.Context, []float32, engines.TranscribeOptions, func(backend.Segment) error) (string, error) {
		entered <- struct{}{}
		<-blocked // as a model that does not see at once that it is cancelled
		return "", backend.ErrCancelled
	}
	request, disconnect := context.WithCancel(t.Context())
	waited := make(chan error, 1)
	go func() {
		_, err := l.service.Transcribe(request, l.wav(sound(time.Second)))
		waited <- err
	}()
	<-entered
	closed := make(chan error, 1)
	go func() { closed <- l.service.Close(t.Context()) }()
	accepted := 1
	require.Eventually(t, func() bool {
		_, err := l.service.Submit(t.Context(), l.wav(sound(time.Second)))
		if err == nil { // it was not closing yet
			accepted++
		}
		return backend.CodeOf(err) == backend.CodeInterrupted
	}, waitLimit, time.Millisecond, "it is closing")
	disconnect()
	close(blocked)
	backendtest.RequireCode(t, backend.CodeInterrupted, <-waited)
	require.NoError(t, <-closed)
	require.Len(t, l.files(), accepted, "the audio stays")

	unwanted := newLab(t)
	unwanted.model.run = func(ctx context.Context, _ []float32, _ engines.TranscribeOptions, _ func(backend.Segment) error) (string, error) {
		<-ctx.Done()
		return "", backend.ErrCancelled
	}
	row, err := unwanted.service.Submit(t.Context(), unwanted.wav(sound(time.Second)))
	require.NoError(t, err)
	unwanted.becomes(row.ID, backend.StatusTranscribing)
	got, err := unwanted.service.Cancel(t.Context(), row.ID)
	require.NoError(t, err)
	require.Equal(t, backend.StatusCancelled, got.Status)
	require.NoError(t, unwanted.service.Close(t.Context()))
	require.Empty(t, unwanted.files())
}

// TestCloseWhileAudioIsRead keeps the file itself, of which nothing was stored yet.
func TestCloseWhileAudioIsRead(t *testing.T) {
	l := newLab(t)
	entered := make(chan struct{})
	l.codecs.stream = func(ctx context.Context, _ func([]float32) error) error {
		close(entered)
		<-ctx.Done()
		return backend.ErrCancelled
	}
	request := l.wav(sound(time.Second))
	row, err := l.service.Submit(t.Context(), request)
	require.NoError(t, err)
	<-entered
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, l.service.Close(ended))
	require.Equal(t, backend.CodeInterrupted, l.becomes(row.ID, backend.StatusFailed).Error.Code)
	require.NoFileExists(t, request.Path)
	l.codecs.stream = nil
	l.open()
	again, err := l.service.Rerun(t.Context(), row.ID, transcribe.RerunRequest{})
	require.NoError(t, err)
	require.Equal(t, "Hello there.", again.Text)
}

func TestDeleteStopsAndRemoves(t *testing.T) {
	l := newLab(t)
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(time.Second)))
	require.NoError(t, err)
	require.NoError(t, l.service.Delete(t.Context(), got.ID))
	require.Empty(t, l.files())
	backendtest.RequireCode(t, backend.CodeTranscriptNotFound, l.service.Delete(t.Context(), got.ID))
}

func TestRetentionDeletesOldTranscripts(t *testing.T) {
	l := newLab(t, func(l *lab) {
		l.options.Retention = func() time.Duration { return time.Hour }
	})
	old, err := l.service.Transcribe(t.Context(), l.wav(sound(time.Second)))
	require.NoError(t, err)
	kept, err := l.service.Transcribe(t.Context(), l.wav(sound(time.Second)))
	require.NoError(t, err)
	l.store.rows[old.ID].now.CreatedAt = time.Now().Add(-2 * time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- l.service.Retain(ctx, nil) }()
	require.Eventually(t, func() bool {
		_, err := l.store.Transcript(ctx, old.ID)
		return err != nil
	}, waitLimit, time.Millisecond)
	cancel()
	require.NoError(t, <-done)
	require.Equal(t, []string{filepath.Base(kept.AudioPath)}, l.files())
}

func TestExportAndPeaks(t *testing.T) {
	l := newLab(t)
	got, err := l.service.Transcribe(t.Context(), l.wav(sound(2*time.Second)))
	require.NoError(t, err)
	for _, format := range backend.TranscriptFormats() {
		file, err := l.service.Export(t.Context(), got.ID, format, transcribe.Style{})
		require.NoError(t, err)
		require.Equal(t, "talk."+format, file.Name)
		data, err := os.ReadFile(file.Path)
		require.NoError(t, err)
		if format == backend.FormatDOCX {
			require.Contains(t, docxParagraphs(t, data), [2]string{"", "0:00 Hello there."})
		} else if format != backend.FormatRTTM {
			require.Contains(t, string(data), "Hello there.")
		}
		file.Close()
		require.NoFileExists(t, file.Path)
	}
	var invalid *backend.ValidationError
	_, err = l.service.Export(t.Context(), got.ID, "odt", transcribe.Style{})
	require.ErrorAs(t, err, &invalid)
	peaks, err := l.service.Peaks(t.Context(), got.ID, 10)
	require.NoError(t, err)
	require.Len(t, peaks, 10)
}

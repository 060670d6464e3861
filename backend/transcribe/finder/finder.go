// Package finder finds the speakers of transcripts by their stored audio.
package finder

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/jobs"
	"github.com/voicewright/voicewright/engines"
)

// maxSpeakers is the largest number of speakers of a transcript, usualSpeakers how many are found at most where nobody names a number.
const (
	maxSpeakers   = 100
	usualSpeakers = 20
)

// Store stores transcripts. Error of all: transcript_not_found.
type Store interface {
	Transcript(ctx context.Context, id string) (backend.Transcript, error)
	UpdateTranscript(ctx context.Context, id string, change func(*backend.Transcript) error) (backend.Transcript, error)
	// EditTranscript is UpdateTranscript whose change can be undone.
	EditTranscript(ctx context.Context, id string, change func(*backend.Transcript) error) (backend.Transcript, error)
}

// Diarizers loads the model that finds speakers.
type Diarizers interface {
	// AcquireDiarizer loads the model, and downloads it first if it is missing. Errors: those of a download and of a load.
	AcquireDiarizer(ctx context.Context, phase func(backend.Status)) (*engines.LoadedDiarizer, error)
	// AcquireDiarizerDownloaded is AcquireDiarizer that downloads nothing. Error: model_not_downloaded.
	AcquireDiarizerDownloaded(ctx context.Context) (*engines.LoadedDiarizer, error)
	DiarizerDownloaded() bool
}

// Codecs reads files of any format as mono samples at rate Hz. Errors: unsupported_media, runtime_missing.
type Codecs interface {
	StreamMono(ctx context.Context, path string, rate int, emit func(samples []float32) error) error
}

// Known are people whose voices are remembered, as prints of a model that has certain files.
type Known interface {
	// Knows reports whether there are any.
	Knows(model []backend.FileHash) bool
	// Match returns which of them the speakers with these names and voices sound like. A voice may be nil.
	Match(model []backend.FileHash, names []string, voices [][]float32) []backend.SpeakerMatch
}

// Options are what a Finder is built from.
type Options struct {
	Store     Store
	Diarizers Diarizers // nil = no speakers are found
	Known     Known     // nil = nobody
	Codecs    Codecs
	TempDir   func() string // for the sound while it is heard
	// Limit returns a function that is called before more samples are stored. Errors: unsupported_media (too_long), insufficient_disk.
	Limit      func() func(ctx context.Context, samples int) error
	Busy       func(id string) error // not_in_progress while a transcript is transcribed
	Publish    func(backend.Transcript) backend.Transcript
	Pace       func() backend.SpeakerPace // of searches that name none; nil = thorough
	QueueLimit int
	Log        *slog.Logger
}

// Finder finds the speakers of one transcript at a time, beside the transcriptions. It is safe for concurrent use.
type Finder struct {
	o    Options
	jobs *jobs.Runner[*Search] // by transcript
	line *jobs.Line[*Search]
}

// New returns a Finder that works from Start on until Close.
func New(ctx context.Context, o Options) *Finder {
	r := jobs.New[*Search](ctx, jobs.Options{Things: "searches for speakers", Closed: ErrClosed, Limit: o.QueueLimit, Log: o.Log})
	return &Finder{o: o, jobs: r, line: r.NewLine(nil)}
}

// Start begins to work on what was enqueued.
func (f *Finder) Start() { f.jobs.Start() }

// Close ends waiting searches, and interrupts the running one when ctx ends.
func (f *Finder) Close(ctx context.Context) { f.jobs.Close(ctx) }

// Search is an accepted search for the speakers of a transcript. The fields above mu do not change after that.
type Search struct {
	jobs.Handle
	id         string // of the transcript
	options    backend.SpeakerOptions
	reassign   bool // by the lines that a person set, see Request
	downloaded bool // fail where the model is missing, instead of downloading it
	edit       bool // it can be undone

	mu    sync.Mutex
	now   backend.FindingSpeakers
	t     backend.Transcript // as it was when the search began
	row   backend.Transcript // as it is now
	edits int                // how often it was edited since the search was accepted
	err   error

	change func(*backend.Transcript) // of a search that succeeded
}

func newSearch(id string, o backend.SpeakerOptions) *Search {
	return &Search{Handle: jobs.NewHandle(), id: id, options: o, now: backend.FindingSpeakers{Status: backend.StatusQueued}}
}

func (j *Search) failure() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err == nil {
		return nil
	}
	return backend.AsError(j.err).With("transcript_id", j.id)
}

// ErrClosed is why the end of the program left speakers unfound.
var ErrClosed = backend.E(backend.CodeInterrupted, "Voicewright was closed before the speakers were found.", "Find them again.")

// errUnloaded is about a search that ended because its model was unloaded or deleted by force.
var errUnloaded = backend.E(backend.CodeInterrupted, "The model was unloaded while it was looking for speakers.", "Find them again.")

func busyError(id string) error {
	return backend.E(backend.CodeNotInProgress, "The speakers of this transcript are being found.",
		"Wait until that has finished, or cancel it.").With("transcript_id", id)
}

// Enqueue puts a search into the line once write has written what comes before it. Until it has ended the row says that it was
// interrupted, which is so when the program ends before it does.
func (f *Finder) Enqueue(ctx context.Context, j *Search, write func() error) error {
	return f.jobs.Enqueue(f.line, j, func() error {
		f.jobs.Assign(ctx, j, func(ctx context.Context) error { return f.find(ctx, j) }, func(err error) { f.end(j, err) })
		if !f.jobs.AddNew(j.id, j) {
			return busyError(j.id)
		}
		if err := write(); err != nil {
			f.jobs.Forget(j)
			return err
		}
		return nil
	})
}

// Busy returns not_in_progress while the speakers of a transcript are being found.
func (f *Finder) Busy(id string) error {
	if f.jobs.Job(id) != nil {
		return busyError(id)
	}
	return nil
}

// Stop cancels the search for the speakers of a transcript and waits for its end. It returns false where there is none.
func (f *Finder) Stop(id string) bool {
	j := f.jobs.Job(id)
	if j == nil {
		return false
	}
	f.jobs.Stop(j)
	<-j.Done()
	return true
}

// Wait waits for the end of a search, and returns why it failed. When ctx ends, it is cancelled.
func (f *Finder) Wait(ctx context.Context, j *Search) error {
	f.jobs.Wait(ctx, j)
	return j.failure()
}

// Overlay returns a transcript with the progress of a search for its speakers.
func (f *Finder) Overlay(t backend.Transcript) backend.Transcript {
	j := f.jobs.Job(t.ID)
	if j == nil {
		return t
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	now := j.now
	t.FindingSpeakers, t.SpeakersError = &now, nil
	return t
}

// Edited says what a transcript is after an edit, so that the progress of a search for its speakers shows nothing older.
func (f *Finder) Edited(t backend.Transcript) {
	if j := f.jobs.Job(t.ID); j != nil {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.row = t
		j.edits++
	}
}

// show changes the progress of a search and notifies.
func (f *Finder) show(j *Search, status backend.Status, progress float64) {
	j.mu.Lock()
	j.now = backend.FindingSpeakers{Status: status, Progress: progress}
	t := j.row
	j.mu.Unlock()
	f.o.Publish(t)
}

// end stores the speakers, or why there are none, and releases waiters.
func (f *Finder) end(j *Search, cause error) {
	change, edit := j.change, j.edit
	if cause != nil {
		if backend.CodeOf(cause) == backend.CodeCancelled && f.jobs.Closing().Err() != nil && !j.Stopped() {
			cause = ErrClosed.WithCause(cause)
		}
		e := backend.LogFailure(j.LogContext(), f.o.Log, cause, "a search for speakers", "id", j.id)
		failure := e.Failure()
		if e.Code == backend.CodeCancelled {
			failure = nil
		}
		j.mu.Lock()
		j.err = e
		j.mu.Unlock()
		edit, change = false, func(t *backend.Transcript) { t.SpeakersError = failure }
	}
	t, err := f.store(j.id, edit, change)
	// Before the search is forgotten: after that the file may be that of the next one.
	if err := os.Remove(f.path(j)); err != nil && !errors.Is(err, os.ErrNotExist) {
		f.o.Log.Warn("remove the sound of a search for speakers", "id", j.id, "error", err)
	}
	f.jobs.Forget(j)
	switch {
	case err == nil:
		f.o.Publish(t)
	case backend.CodeOf(err) != backend.CodeTranscriptNotFound:
		f.o.Log.Warn("write the speakers of a transcript", "id", j.id, "error", err)
		j.mu.Lock()
		j.err = err
		t = j.row
		j.mu.Unlock()
		f.o.Publish(t)
	}
	f.jobs.Finish(j)
}

// storeTimeout is how long a change of a row may take.
const storeTimeout = 30 * time.Second

// store changes a row, also when the work was just cancelled.
func (f *Finder) store(id string, edit bool, change func(*backend.Transcript)) (row backend.Transcript, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), storeTimeout)
	defer cancel()
	update := f.o.Store.UpdateTranscript
	if edit {
		update = f.o.Store.EditTranscript
	}
	err = backend.Contain(func() (err error) {
		row, err = update(ctx, id, func(t *backend.Transcript) error {
			change(t)
			return nil
		})
		return err
	})
	return row, err
}

// path returns the path of the sound that a search hears.
func (f *Finder) path(j *Search) string { return filepath.Join(f.o.TempDir(), j.id+".pcm") }

// find finds the speakers of a transcript. The sound is read before the model is acquired, as for transcriptions.
func (f *Finder) find(ctx context.Context, j *Search) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	t, err := f.read(ctx, j)
	if err != nil {
		return err
	}
	if err := hasAudio(t); err != nil {
		return err
	}
	s, err := f.open(ctx, t.AudioPath, f.path(j))
	if err != nil {
		return err
	}
	defer s.close()
	loaded, err := f.acquire(ctx, j)
	if backend.CodeOf(err) == backend.CodeCancelled && ctx.Err() == nil { // not the search but the download or the load
		return backend.E(backend.CodeInterrupted, backend.AsError(err).Detail, "Find them again.").WithCause(err)
	}
	if err != nil {
		return err
	}
	defer loaded.Release()
	f.show(j, backend.StatusListening, 0)
	hear := f.hear
	if j.reassign {
		hear = f.reassign
	}
	err = hear(ctx, j, loaded, s)
	if backend.CodeOf(err) == backend.CodeCancelled && ctx.Err() == nil {
		return errUnloaded.WithCause(err)
	}
	return err
}

// read returns the transcript of a search that begins. An edit that is made just then is newer than what was read.
func (f *Finder) read(ctx context.Context, j *Search) (backend.Transcript, error) {
	j.mu.Lock()
	edits := j.edits
	j.mu.Unlock()
	t, err := f.o.Store.Transcript(ctx, j.id)
	if err != nil {
		return t, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.t = t
	if j.edits == edits {
		j.row = t
	}
	return t, nil
}

func (f *Finder) acquire(ctx context.Context, j *Search) (*engines.LoadedDiarizer, error) {
	if j.downloaded {
		return f.o.Diarizers.AcquireDiarizerDownloaded(ctx)
	}
	return f.o.Diarizers.AcquireDiarizer(ctx, func(phase backend.Status) { f.show(j, phase, 0) })
}

// hasAudio returns audio_missing for a transcript whose audio is not stored.
func hasAudio(t backend.Transcript) error {
	if t.AudioPath != "" {
		if _, err := os.Stat(t.AudioPath); err == nil {
			return nil
		}
	}
	return ErrAudioGone(t.ID)
}

// ErrAudioGone is about a transcript whose audio is not stored.
func ErrAudioGone(id string) error {
	return backend.E(backend.CodeAudioMissing, "The audio of this transcript is not stored.", "Transcribe the file again.").
		With("transcript_id", id)
}

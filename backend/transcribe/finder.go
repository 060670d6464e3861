package transcribe

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/jobs"
	"github.com/voicewright/voicewright/engines"
)

// maxSpeakers is the largest number of speakers of a transcript, usualSpeakers how many are found at most where nobody names a number.
const (
	maxSpeakers   = 100
	usualSpeakers = 20
)

// Speakers finds the speakers of transcripts, one at a time and beside the transcriptions. It is safe for concurrent use.
type Speakers struct {
	o      Options
	folder *folder
	notify func(backend.Transcript)
	edit   func(ctx context.Context, id string, change func(*backend.Transcript) error) (backend.Transcript, error)
	busy   func(id string) error  // not_in_progress while a transcript is transcribed
	jobs   *jobs.Runner[*finding] // by transcript
	line   *jobs.Line[*finding]
}

func newSpeakers(ctx context.Context, s *Service) *Speakers {
	o := s.o
	r := jobs.New[*finding](ctx, jobs.Options{Things: "searches for speakers", Closed: errSpeakersClosed, Limit: o.QueueLimit, Log: o.Log})
	return &Speakers{
		o: o, folder: s.folder, notify: s.notify, jobs: r, line: r.NewLine(nil),
		edit: func(ctx context.Context, id string, change func(*backend.Transcript) error) (backend.Transcript, error) {
			return s.publish(o.Store.EditTranscript(ctx, id, change))
		},
		busy: func(id string) error {
			if s.jobs.Job(id) != nil {
				return busyError(id)
			}
			return nil
		},
	}
}

// finding is an accepted search for the speakers of a transcript. The fields above mu do not change after that.
type finding struct {
	jobs.Handle
	id         string // of the transcript
	options    backend.SpeakerOptions
	reassign   bool // by the lines that a person set, see SpeakersRequest
	downloaded bool // fail where the model is missing, instead of downloading it
	edit       bool // it can be undone

	mu  sync.Mutex
	now backend.FindingSpeakers
	t   backend.Transcript // as it was when the search began
	err error

	change func(*backend.Transcript) // of a search that succeeded
}

func newFinding(id string, o backend.SpeakerOptions) *finding {
	return &finding{Handle: jobs.NewHandle(), id: id, options: o, now: backend.FindingSpeakers{Status: backend.StatusQueued}}
}

func (j *finding) failure() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err == nil {
		return nil
	}
	return withID(j.err, j.id)
}

var (
	errSpeakersClosed = backend.E(backend.CodeInterrupted, "Voicewright was closed before the speakers were found.", "Find them again.")
	errSpeakersBusy   = backend.E(backend.CodeNotInProgress, "The speakers of this transcript are being found.",
		"Wait until that has finished, or cancel it.")
)

// enqueue puts a search into the line once write has written what comes before it. Until it has ended the row says that it was
// interrupted, which is so when the program ends before it does.
func (f *Speakers) enqueue(ctx context.Context, j *finding, write func() error) error {
	return f.jobs.Enqueue(f.line, j, func() error {
		f.jobs.Assign(ctx, j, func(ctx context.Context) error { return f.find(ctx, j) }, func(err error) { f.end(j, err) })
		if !f.jobs.AddNew(j.id, j) {
			return withID(errSpeakersBusy, j.id)
		}
		if err := write(); err != nil {
			f.jobs.Forget(j)
			return err
		}
		return nil
	})
}

func (f *Speakers) live(id string) bool { return f.jobs.Job(id) != nil }

// overlay returns a transcript with the progress of a search for its speakers.
func (f *Speakers) overlay(t backend.Transcript) backend.Transcript {
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

// show changes the progress of a search and notifies.
func (f *Speakers) show(j *finding, status backend.Status, progress float64) {
	j.mu.Lock()
	j.now = backend.FindingSpeakers{Status: status, Progress: progress}
	t := j.t
	j.mu.Unlock()
	f.notify(t)
}

// end stores the speakers, or why there are none, and releases waiters.
func (f *Speakers) end(j *finding, cause error) {
	change, edit := j.change, j.edit
	if cause != nil {
		if backend.CodeOf(cause) == backend.CodeCancelled && f.jobs.Closing().Err() != nil && !j.Stopped() {
			cause = errSpeakersClosed.WithCause(cause)
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
	f.jobs.Forget(j)
	switch {
	case err == nil:
		f.notify(t)
	case backend.CodeOf(err) != backend.CodeTranscriptNotFound:
		f.o.Log.Warn("write the speakers of a transcript", "id", j.id, "error", err)
		j.mu.Lock()
		j.err = err
		t = j.t
		j.mu.Unlock()
		f.notify(t)
	}
	f.folder.removeFile(f.path(j))
	f.jobs.Finish(j)
}

// store changes a row, also when the work was just cancelled.
func (f *Speakers) store(id string, edit bool, change func(*backend.Transcript)) (row backend.Transcript, err error) {
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
func (f *Speakers) path(j *finding) string { return filepath.Join(f.folder.tempDir(), j.id+".pcm") }

// find finds the speakers of a transcript. The sound is read before the model is acquired, as for transcriptions.
func (f *Speakers) find(ctx context.Context, j *finding) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	t, err := f.o.Store.Transcript(ctx, j.id)
	if err != nil {
		return err
	}
	j.mu.Lock()
	j.t = t
	j.mu.Unlock()
	if _, err := os.Stat(t.AudioPath); t.AudioPath == "" || err != nil {
		return errAudioGone(t.ID)
	}
	s, err := f.open(ctx, t.AudioPath, f.path(j))
	if err != nil {
		return err
	}
	defer s.close()
	loaded, err := f.acquire(ctx, j)
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

func (f *Speakers) acquire(ctx context.Context, j *finding) (*engines.LoadedDiarizer, error) {
	if j.downloaded {
		return f.o.Diarizers.AcquireDiarizerDownloaded(ctx)
	}
	return f.o.Diarizers.AcquireDiarizer(ctx, func(phase backend.Status) { f.show(j, phase, 0) })
}

func errAudioGone(id string) error {
	return backend.E(backend.CodeAudioMissing, "The audio of this transcript is not stored.", "Transcribe the file again.").
		With("transcript_id", id)
}

// follow puts the search for the speakers of a finished job into its line, and stores the end of the job once it is certain that the
// search runs: who follows the transcript never sees it complete in between. It returns false where there is none.
func (f *Speakers) follow(j *job, end outcome, conclude func(outcome) error) bool {
	if j.search == nil {
		return false
	}
	concluded := false
	err := f.enqueue(j.LogContext(), j.search, func() error {
		concluded = true
		return conclude(with(end, errSpeakersClosed))
	})
	if err == nil {
		return true
	}
	j.search = nil
	if !concluded {
		_ = conclude(with(end, backend.AsError(err))) // which tries again by itself
	}
	return true
}

// with returns the end of a job whose speakers were not found.
func with(end outcome, why *backend.Error) outcome {
	change := end.change
	end.change = func(t *backend.Transcript) error {
		err := change(t)
		t.SpeakersError = why.Failure()
		return err
	}
	return end
}

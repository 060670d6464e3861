package transcribe

import (
	"context"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/jobs"
	"github.com/voicewright/voicewright/backend/transcribe/finder"
)

// job is an accepted transcription, or a rerun of one. The fields above mu do not change after that.
type job struct {
	jobs.Handle
	id        string // of the transcript
	source    string // the file with the audio
	input     Request
	options   backend.TranscribeOptions // checked, with the model that does the work
	last      string                    // the model that did the work before a rerun
	installed bool                      // fail where the model is missing, instead of downloading it
	again     bool                      // a complete transcript is transcribed again and keeps its text until that has ended
	own       bool                      // source is the stored audio of the transcript
	from, to  float64                   // the part of a rerun in seconds; to 0: everything
	speakers  *backend.SpeakerOptions   // as requested
	former    bool                      // no new speakers are found: those that were found before are used
	search    *finder.Search            // for the speakers, after it; nil = none
	unfound   error                     // why there was no such search though there should be one

	mu  sync.Mutex
	t   backend.Transcript
	res outcome // of a run that succeeded
	err error
}

// outcome is how the row of a job that has ended changes.
type outcome struct {
	change func(*backend.Transcript) error
	rerun  bool   // it can be undone
	last   bool   // the job has ended: it is forgotten before anyone is told, who may change the transcript at once
	stored func() // called once it is stored; may be nil
}

func (j *job) snapshot() backend.Transcript {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.t
}

// failure returns why it did not complete, with params.transcript_id; nil if it did.
func (j *job) failure() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err == nil {
		return nil
	}
	return backend.AsError(j.err).With("transcript_id", j.id)
}

// set changes the row in memory, for progress.
func (j *job) set(change func(*backend.Transcript)) backend.Transcript {
	j.mu.Lock()
	defer j.mu.Unlock()
	change(&j.t)
	return j.t
}

// show changes the row in memory and notifies.
func (s *Service) show(j *job, change func(*backend.Transcript)) { s.notify(j.set(change)) }

// move changes the row in the store, then in memory, and notifies. A complete transcript that is transcribed again is complete
// in the store until that has ended.
func (s *Service) move(ctx context.Context, j *job, change func(*backend.Transcript)) error {
	if j.again {
		s.show(j, change)
		return nil
	}
	return s.store(ctx, j, outcome{change: func(t *backend.Transcript) error {
		change(t)
		return nil
	}})
}

// storeTimeout is how long a change of a row may take.
const storeTimeout = 30 * time.Second

func (s *Service) store(ctx context.Context, j *job, o outcome) error {
	// The state is stored even if the work was just cancelled.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTimeout)
	defer cancel()
	update := s.o.Store.UpdateTranscript
	if o.rerun {
		update = s.o.Store.RerunTranscript
	}
	var row backend.Transcript
	err := backend.Contain(func() (err error) {
		row, err = update(ctx, j.id, o.change)
		return err
	})
	if err != nil {
		return err
	}
	now := j.set(func(t *backend.Transcript) { *t = row })
	if o.last {
		s.jobs.Forget(j)
	}
	s.notify(now)
	if o.stored != nil {
		o.stored()
	}
	return nil
}

// finish ends a job: it stores the result, or the failure with what was transcribed so far, and releases waiters.
func (s *Service) finish(j *job, cause error) {
	end := j.res
	if cause != nil {
		end = s.fail(j, cause)
	}
	if cause != nil {
		j.search = nil
	}
	end.last = true
	conclude := func(end outcome) error {
		err := s.store(context.Background(), j, end)
		if err != nil && backend.CodeOf(err) != backend.CodeTranscriptNotFound {
			s.o.Log.Warn("write the end of a transcription, will be tried again", "id", j.id, "error", err)
			s.show(j, func(t *backend.Transcript) { _ = end.change(t) }) // it fails for the row alone
			s.ends.Add(j, end)
		} else {
			s.jobs.Forget(j)
		}
		return err
	}
	if !j.follow(s.Speakers, end, conclude) {
		_ = conclude(end) // which tries again by itself
	}
	s.sources.discard(j.input)
	s.folder.removeTemp(j)
	s.jobs.Finish(j)
}

// storeEnd stores the end of a job that could not be stored before. What is left when the program has closed is lost: the next start
// marks the transcript as failed, and it keeps its audio.
func (s *Service) storeEnd(ctx context.Context, j *job, end outcome) (done bool) {
	err := s.store(ctx, j, end)
	if err != nil && backend.CodeOf(err) != backend.CodeTranscriptNotFound {
		return false
	}
	s.jobs.Forget(j)
	return true
}

// fail returns the end of a job that did not complete. A cancelled one keeps nothing; a failed one, and one that the end of the
// program interrupted, keeps its audio and the text so far, so that it can be transcribed again.
func (s *Service) fail(j *job, cause error) outcome {
	if backend.CodeOf(cause) == backend.CodeCancelled && s.jobs.Closing().Err() != nil && !j.Stopped() {
		cause = errClosed.WithCause(cause)
	}
	e := backend.LogFailure(j.LogContext(), s.o.Log, cause, "a transcription", "id", j.id)
	if e.Code == backend.CodeInterrupted {
		s.keepSource(j)
	}
	j.mu.Lock()
	j.err = e
	so := j.t
	j.mu.Unlock()
	failure := e.Failure()
	cancelled := e.Code == backend.CodeCancelled
	if j.again {
		if cancelled {
			failure = nil
		}
		return outcome{change: func(t *backend.Transcript) error {
			t.Status, t.Progress, t.Error, t.Waiting = backend.StatusComplete, 1, failure, false
			return nil
		}}
	}
	if cancelled && !j.own {
		return outcome{stored: func() { s.folder.removeAudio(so) }, change: func(t *backend.Transcript) error {
			t.Status, t.Error, t.Progress, t.Waiting = backend.StatusCancelled, failure, 0, false
			t.AudioPath, t.Duration, t.Segments, t.Text = "", 0, nil, ""
			t.Channels, t.ChannelTurns = nil, [2][]int{}
			return nil
		}}
	}
	status := backend.StatusFailed
	if cancelled {
		status = backend.StatusCancelled
	}
	return outcome{change: func(t *backend.Transcript) error {
		t.Status, t.Error, t.Progress, t.Waiting = status, failure, 0, false
		t.AudioPath, t.Duration = so.AudioPath, so.Duration
		t.Segments, t.Text, t.Language = so.Segments, so.Text, so.Language
		return nil
	}}
}

// follow puts the search for the speakers of a finished job into its line, and stores the end of the job once it is certain that the
// search runs: who follows the transcript never sees it complete in between. It returns false where there is none.
func (j *job) follow(f *finder.Finder, end outcome, conclude func(outcome) error) bool {
	if j.search == nil {
		return false
	}
	concluded := false
	err := f.Enqueue(j.LogContext(), j.search, func() error {
		concluded = true
		return conclude(with(end, finder.ErrClosed))
	})
	if err == nil {
		return true
	}
	j.search, j.unfound = nil, backend.AsError(err).With("transcript_id", j.id)
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

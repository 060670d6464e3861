package transcribe

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/repeat"
)

// recover makes store and folder consistent after a crash: unfinished transcripts become failed with the remedy to retry, and
// temporary files are removed.
func (s *Service) recover(ctx context.Context) error {
	if err := s.folder.finishDeletions(ctx); err != nil {
		return err
	}
	if err := errors.Join(files.RemoveAll(s.folder.tempDir()), os.MkdirAll(s.folder.tempDir(), 0o700)); err != nil {
		return backend.FileError("make the folder of transcripts", "the data directory", err)
	}
	lost, err := s.o.Store.RecoverTranscripts(ctx)
	if err != nil {
		return err
	}
	for _, t := range lost {
		s.folder.removeOthers(t)
	}
	return nil
}

// Delete cancels and deletes a transcript with its audio. Error: transcript_not_found.
func (s *Service) Delete(ctx context.Context, id string) error {
	if j := s.jobs.Job(id); j != nil {
		s.jobs.Stop(j)
		<-j.Done()
	}
	s.Speakers.Stop(id)
	defer s.folder.deletions().Note(id)()
	removed, err := s.o.Store.DeleteTranscripts(ctx, []string{id})
	if backend.CodeOf(err) == backend.CodeInsufficientDisk {
		// Deleting the row needs disk space, which removing the file frees.
		if t, err := s.o.Store.Transcript(ctx, id); err == nil {
			s.folder.removeAudio(t)
		}
		removed, err = s.o.Store.DeleteTranscripts(ctx, []string{id})
	}
	if err != nil {
		return err
	}
	for _, t := range removed {
		s.folder.removeAudio(t)
	}
	s.ends.Flush(ctx)
	if len(removed) == 0 {
		_, err = s.o.Store.Transcript(ctx, id) // its error is the right one
	}
	return err
}

// Retain deletes transcripts that are older than the retention setting: now, every hour and on changes, until ctx ends.
func (s *Service) Retain(ctx context.Context, changed <-chan struct{}) error {
	repeat.Hourly(ctx, changed, func() {
		err := backend.Contain(func() error { return s.expire(ctx) })
		if err != nil && ctx.Err() == nil {
			s.o.Log.Warn("remove old transcripts", "error", err)
		}
	})
	return nil
}

// expireAtOnce is how many transcripts are deleted in one transaction.
const expireAtOnce = 100

// expire deletes transcripts that are too old, except those in use. It stops when the retention becomes longer meanwhile.
func (s *Service) expire(ctx context.Context) error {
	inUse := func(id string) bool { return s.jobs.Job(id) != nil || s.Speakers.Busy(id) != nil }
	for keep := s.o.Retention(); keep >= 0; {
		if now := s.o.Retention(); now < 0 || now > keep {
			return nil
		}
		ids, err := s.o.Store.ExpiredTranscripts(ctx, s.o.Now().Add(-keep), expireAtOnce)
		if err != nil {
			return err
		}
		if ids = slices.DeleteFunc(ids, inUse); len(ids) == 0 {
			return nil
		}
		noted := s.folder.deletions().Note(ids...)
		removed, err := s.o.Store.ExpireTranscripts(ctx, ids)
		for _, t := range removed {
			s.folder.removeAudio(t)
		}
		noted()
		if len(removed) > 0 && s.o.Expired != nil {
			backend.Protect(s.o.Log, "the event of removed transcripts", func() { s.o.Expired(len(removed)) })
		}
		if err != nil || len(removed) == 0 {
			return err
		}
	}
	return nil
}

// Storage is the disk space that the audio of transcripts uses.
type Storage struct {
	Files   int
	Bytes   int64
	Missing int // transcripts whose file is missing
}

// Storage measures the audio of the transcripts.
func (s *Service) Storage(ctx context.Context) (Storage, error) {
	var out Storage
	paths, err := s.o.Store.TranscriptPaths(ctx)
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			out.Missing++
		case err != nil:
			return out, backend.FileError("measure the audio", "the data directory", err)
		default:
			out.Files++
			out.Bytes += info.Size()
		}
	}
	return out, err
}

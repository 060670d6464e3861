package generations

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/speech"
)

// recover makes store and audio directory consistent after a crash: unfinished generations become failed with the remedy
// to retry, and their temporary files are removed. It returns them.
func (s *Service) recover(ctx context.Context) ([]backend.Generation, error) {
	if err := errors.Join(os.RemoveAll(s.synth.TempDir()), os.MkdirAll(s.synth.TempDir(), 0o700)); err != nil {
		return nil, backend.FileError("make the audio directory", "the data directory", err)
	}
	lost, err := s.o.Store.Recover(ctx)
	if err != nil {
		return nil, err
	}
	for _, g := range lost {
		if err := os.Remove(s.Path(g)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, backend.FileError("remove an unfinished file", "the data directory", err)
		}
	}
	return lost, s.recoverPartial(ctx)
}

// Delete cancels and deletes generations with their audio. Unknown ids are ignored.
func (s *Service) Delete(ctx context.Context, ids []string) (int, error) {
	for _, id := range ids {
		for _, j := range s.jobs.Jobs(id) {
			s.jobs.Stop(j)
			<-j.Done()
		}
	}
	n, err := s.Remove(ctx, ids, s.o.Store.DeleteGenerations)
	if backend.CodeOf(err) == backend.CodeInsufficientDisk {
		// Deleting the rows needs disk space, which removing the files frees.
		s.removeFiles(ctx, ids)
		n, err = s.Remove(ctx, ids, s.o.Store.DeleteGenerations)
	}
	if err == nil {
		s.writeEnds(ctx)
	}
	return n, err
}

// removeFiles removes the files of generations whose rows will be deleted.
func (s *Service) removeFiles(ctx context.Context, ids []string) {
	for _, id := range ids {
		done, err := s.files.lock(ctx, id)
		if err != nil {
			return
		}
		if g, err := s.o.Store.Generation(ctx, id); err == nil {
			s.removeAudio(g)
		}
		done()
	}
}

// Remove calls rows to delete generations from the store while their files are locked, and removes the files of those
// that were deleted.
func (s *Service) Remove(
	ctx context.Context, ids []string, rows func(context.Context, []string) ([]backend.Generation, error),
) (int, error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids))) // one order, so that callers do not deadlock
	for _, id := range ids {
		done, err := s.files.lock(ctx, id)
		if err != nil {
			return 0, err
		}
		defer done()
	}
	removed, err := rows(ctx, ids)
	if err != nil {
		return 0, err
	}
	for _, g := range removed {
		s.removeAudio(g)
		s.paces.forget(g.ProfileID)
	}
	return len(removed), nil
}

// removeAudio removes the files of a deleted generation.
func (s *Service) removeAudio(g backend.Generation) {
	s.removeJournal(g.ID)
	if s.o.Removed != nil {
		s.o.Removed(context.WithoutCancel(s.jobs.Closing()), g)
	}
	if g.Source == backend.SourceHosted && s.maker != nil {
		s.forgetRecalled(g.ID)
		s.maker.Forget(context.WithoutCancel(s.jobs.Closing()), g.ID)
	}
	if g.AudioPath == "" {
		return
	}
	versions, _ := filepath.Glob(filepath.Join(filepath.Dir(g.AudioPath), g.ID+".*")) // the pattern is well formed
	for _, path := range append(versions, g.AudioPath) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.o.Log.Warn("remove the audio of a deleted generation", "id", g.ID, "error", err)
		}
	}
}

// Retain deletes generations that are older than the retention setting and not favourites: now, every hour and on changes,
// until ctx ends.
func (s *Service) Retain(ctx context.Context, changed <-chan struct{}) error {
	backend.Hourly(ctx, changed, func() {
		err := backend.Contain(func() error { return s.expire(ctx) })
		if err != nil && ctx.Err() == nil {
			s.o.Log.Warn("remove old history", "error", err)
		}
	})
	return nil
}

// expire deletes generations that are too old, except favourites and those in use. It stops when the retention becomes
// longer meanwhile.
func (s *Service) expire(ctx context.Context) error {
	keep := s.o.Retention()
	if keep < 0 {
		return nil
	}
	takenBack := func() bool {
		now := s.o.Retention()
		return now < 0 || now > keep
	}
	f := backend.GenerationFilter{
		To: s.o.Now().Add(-keep), Favorite: backend.No, Sort: backend.HistoryOldest,
		Page: backend.Page{Limit: backend.MaxPageLimit},
	}
	for {
		page, err := s.o.Store.Generations(ctx, f)
		if err != nil {
			return err
		}
		// Checked again with their files locked, which may have taken a while.
		removed, err := s.Remove(ctx, s.idle(page.Items), func(ctx context.Context, ids []string) ([]backend.Generation, error) {
			if takenBack() {
				return nil, nil
			}
			return s.o.Store.ExpireGenerations(ctx, slices.DeleteFunc(ids, s.Busy))
		})
		if removed > 0 && s.o.Expired != nil {
			backend.Protect(s.o.Log, "the event of removed history", func() { s.o.Expired(removed) })
		}
		if err != nil {
			return err
		}
		if page.NextCursor == nil || takenBack() {
			return nil
		}
		f.Cursor = *page.NextCursor
	}
}

// idle returns the ids of generations that have ended and have no live job.
func (s *Service) idle(hits []backend.GenerationHit) []string {
	var ids []string
	for _, g := range hits {
		if g.Status.Ended() && !s.Busy(g.ID) {
			ids = append(ids, g.ID)
		}
	}
	return ids
}

// Busy reports whether something works on a generation.
func (s *Service) Busy(id string) bool { return len(s.jobs.Jobs(id)) > 0 }

// Storage is the disk space that the history uses.
type Storage struct {
	Files   int   `json:"files"`
	Bytes   int64 `json:"bytes"`
	Missing int   `json:"missing" doc:"generations whose file is missing"`
}

// Storage measures the audio files of the history.
func (s *Service) Storage(ctx context.Context) (Storage, error) {
	var out Storage
	paths, err := s.o.Store.AudioPaths(ctx)
	if err != nil {
		return out, err
	}
	former, err := s.o.Store.FormerPaths(ctx)
	if err != nil {
		return out, err
	}
	for _, path := range append(former, slices.Collect(maps.Values(paths))...) {
		info, err := os.Stat(path)
		if err != nil {
			out.Missing++
			continue
		}
		out.Files++
		out.Bytes += info.Size()
	}
	err = s.measureFolders(&out)
	return out, err
}

// measureFolders adds the files of takes, scripts, unfinished generations and hosted parts.
func (s *Service) measureFolders(out *Storage) error {
	for _, folder := range []string{"takes", "scripts", hostedFolder, speech.PartialFolder} {
		err := filepath.WalkDir(filepath.Join(s.o.Dir, folder), func(_ string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err == nil {
				out.Files++
				out.Bytes += info.Size()
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return backend.FileError("measure the audio", "the data directory", err)
		}
	}
	return nil
}

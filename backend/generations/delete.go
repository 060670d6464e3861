package generations

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/repeat"
)

// Delete cancels and deletes generations with their audio. Unknown ids are ignored. Error: not_permitted, before anything is deleted,
// when another program has one of the files open and the system keeps it.
func (a *Archive) Delete(ctx context.Context, ids []string) (int, error) {
	for _, id := range ids {
		for _, j := range a.gens.jobs.Jobs(id) {
			a.gens.jobs.Stop(j)
			<-j.Done()
		}
	}
	if err := a.checkFree(ctx, ids); err != nil {
		return 0, err
	}
	n, err := a.Remove(ctx, ids, a.o.Store.DeleteGenerations)
	if backend.CodeOf(err) == backend.CodeInsufficientDisk {
		// Deleting the rows needs disk space, which removing the files frees.
		a.removeFiles(ctx, ids)
		n, err = a.Remove(ctx, ids, a.o.Store.DeleteGenerations)
	}
	if err == nil {
		a.gens.ends.flush(ctx)
	}
	return n, err
}

// checkFree returns an error if a file of these generations cannot be removed because another program has it open.
func (a *Archive) checkFree(ctx context.Context, ids []string) error {
	if runtime.GOOS != "windows" {
		return nil
	}
	for _, id := range ids {
		g, err := a.o.Store.Generation(ctx, id)
		if err != nil || g.AudioPath == "" {
			continue
		}
		if err := files.CheckFree(g.AudioPath); err != nil {
			return backend.FileError("delete the audio of a generation", g.AudioPath, err)
		}
	}
	return nil
}

// removeFiles removes the files of generations whose rows will be deleted.
func (a *Archive) removeFiles(ctx context.Context, ids []string) {
	for _, id := range ids {
		done, err := a.files.Lock(ctx, id)
		if err != nil {
			return
		}
		if g, err := a.o.Store.Generation(ctx, id); err == nil {
			a.removeAudio(g)
		}
		done()
	}
}

// Remove calls rows to delete generations from the store while their files are locked, and removes the files of those
// that were deleted.
func (a *Archive) Remove(
	ctx context.Context, ids []string, rows func(context.Context, []string) ([]backend.Generation, error),
) (int, error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids))) // one order, so that callers do not deadlock
	for _, id := range ids {
		done, err := a.files.Lock(ctx, id)
		if err != nil {
			return 0, err
		}
		defer done()
	}
	if len(ids) > 0 {
		defer a.synth.Deletions().Note(ids...)()
	}
	removed, err := rows(ctx, ids)
	if err != nil {
		return 0, err
	}
	for _, g := range removed {
		a.removeAudio(g)
		a.gens.pace.Forget(g.ProfileID)
	}
	return len(removed), nil
}

// removeAudio removes the files of a deleted generation.
func (a *Archive) removeAudio(g backend.Generation) {
	a.gens.partials.remove(g.ID)
	if a.o.Removed != nil {
		a.o.Removed(context.WithoutCancel(a.gens.jobs.Closing()), g)
	}
	if g.Source == backend.SourceHosted && a.gens.Makers.hosted != nil {
		a.gens.Player.forget(g.ID)
		a.gens.Makers.hosted.Forget(context.WithoutCancel(a.gens.jobs.Closing()), g.ID)
	}
	if g.AudioPath == "" {
		return
	}
	versions, _ := filepath.Glob(filepath.Join(filepath.Dir(g.AudioPath), g.ID+".*")) // the pattern is well formed
	for _, path := range append(versions, g.AudioPath) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			a.o.Log.Warn("remove the audio of a deleted generation", "id", g.ID, "error", err)
		}
	}
}

// Retain deletes generations that are older than the retention setting, and neither favourites nor of books: now, every hour and on
// changes, until ctx ends.
func (a *Archive) Retain(ctx context.Context, changed <-chan struct{}) error {
	repeat.Hourly(ctx, changed, func() {
		err := backend.Contain(func() error { return a.expire(ctx) })
		if err != nil && ctx.Err() == nil {
			a.o.Log.Warn("remove old history", "error", err)
		}
	})
	return nil
}

// expire deletes generations that are too old, except favourites, those of books and those in use. It stops when the retention becomes
// longer meanwhile.
func (a *Archive) expire(ctx context.Context) error {
	keep := a.o.Retention()
	if keep < 0 {
		return nil
	}
	takenBack := func() bool {
		now := a.o.Retention()
		return now < 0 || now > keep
	}
	f := backend.GenerationFilter{
		To: a.o.Now().Add(-keep), Favorite: backend.No, OfBook: backend.No, Sort: backend.HistoryOldest,
		Page: backend.Page{Limit: backend.MaxPageLimit},
	}
	for {
		page, err := a.o.Store.Generations(ctx, f)
		if err != nil {
			return err
		}
		// Checked again with their files locked, which may have taken a while.
		removed, err := a.Remove(ctx, a.idle(page.Items), func(ctx context.Context, ids []string) ([]backend.Generation, error) {
			if takenBack() {
				return nil, nil
			}
			return a.o.Store.ExpireGenerations(ctx, slices.DeleteFunc(ids, a.gens.Busy))
		})
		if removed > 0 && a.o.Expired != nil {
			backend.Protect(a.o.Log, "the event of removed history", func() { a.o.Expired(removed) })
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
func (a *Archive) idle(hits []backend.GenerationHit) []string {
	var ids []string
	for _, g := range hits {
		if g.Status.Ended() && !a.gens.Busy(g.ID) {
			ids = append(ids, g.ID)
		}
	}
	return ids
}

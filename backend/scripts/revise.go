package scripts

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
)

// Revision counts the turns of a new version of a script: those that keep their audio, those that are generated, and those of
// the version before that it no longer has.
type Revision struct{ Reused, Generated, Removed int }

var errScriptBusy = backend.E(backend.CodeNotInProgress, "This script is being generated.", "Wait for it to finish, or stop it.")

// ReviseScript generates the turns that differ from those of a script and joins all in the background. It returns the script
// with its new turns at once. Equal turns keep their generation whatever their place. The script and its file stay as they are
// until the new file is there, also after a failure; then the turns that were made are used by the next revision.
// Errors: script_not_found, not_in_progress while it is being generated, those of SubmitScript.
func (s *Service) ReviseScript(ctx context.Context, id string, r Request) (backend.ScriptWithTurns, Revision, error) {
	release, ok := s.scripts.claim(id)
	if !ok {
		return backend.ScriptWithTurns{}, Revision{}, errScriptBusy.With("script_id", id)
	}
	defer release()
	v, err := s.newVersion(ctx, id, r)
	if err != nil {
		return backend.ScriptWithTurns{}, Revision{}, err
	}
	if err := s.startVersion(ctx, v, r.AcceptCredits); err != nil {
		return backend.ScriptWithTurns{}, Revision{}, err
	}
	wanted, counts := v.wanted(), v.counts() // before the goroutine, which changes v
	err = s.finishScript(ctx, id, r.Ended, func(work context.Context) error {
		if err := s.waitAll(work, v.jobs); err != nil {
			return err
		}
		if v.differs() {
			return s.replaceVersion(work, v)
		}
		if joined, err := s.isJoined(work, v); joined || err != nil {
			return err
		}
		return s.joinAgain(work, v)
	})
	if err != nil {
		return backend.ScriptWithTurns{}, Revision{}, err
	}
	out, err := s.oneWithTurns(ctx, wanted)
	return out, counts, err
}

// version is a version of a script that is being made.
type version struct {
	old    backend.Script
	next   backend.ScriptVersion
	jobs   []*generations.Job // to wait for
	fresh  []*generations.Job // those of them that must be started
	reused int                // turns

	continued map[string]backend.Generation // those of fresh that were stopped or failed, as they were, by id
}

// wanted returns the script with the texts of the new version and the file of the old one.
func (v *version) wanted() backend.Script {
	out := v.old
	out.Title, out.GapMS, out.Generations, out.Speakers = v.next.Title, v.next.GapMS, v.next.Generations, v.next.Speakers
	return out
}

// differs reports whether the version has other turns or other pauses than the joined file.
func (v *version) differs() bool {
	return v.old.AudioPath == "" || v.old.GapMS != v.next.GapMS || !slices.Equal(v.old.Generations, v.next.Generations)
}

func (v *version) counts() Revision {
	out := Revision{Reused: v.reused, Generated: len(v.next.Generations) - v.reused}
	for _, id := range v.old.Generations {
		if !slices.Contains(v.next.Generations, id) {
			out.Removed++
		}
	}
	return out
}

// newVersion plans a version: which turns keep a generation, and the jobs of the others.
func (s *Service) newVersion(ctx context.Context, id string, r Request) (*version, error) {
	stored, err := s.o.Store.Script(ctx, id)
	if err != nil {
		return nil, err
	}
	have, err := s.reusable(ctx, stored, r.Keep)
	if err != nil {
		return nil, err
	}
	jobs, err := s.prepareTurns(ctx, r.Turns, have.preparing(s))
	if err != nil {
		return nil, err
	}
	v := &version{old: stored, next: r.version(), continued: map[string]backend.Generation{}}
	for _, j := range jobs {
		turns, at := j.Turns(), len(v.next.Generations)
		if g, ok := pick(&have.all, j, keptBy(r.Keep, at)); ok {
			j.Row.ID = g.ID
			v.reused += turns
			if running := s.gens.Job(g.ID); running != nil {
				v.jobs = append(v.jobs, running)
			}
		} else {
			if g, ok := pick(&have.begun, j, keptBy(r.Keep, at)); ok {
				j.Continues(g)
				v.continued[g.ID] = g
			}
			v.jobs, v.fresh = append(v.jobs, j), append(v.fresh, j)
		}
		for range turns {
			v.next.Generations = append(v.next.Generations, j.Row.ID)
		}
	}
	return v, nil
}

func keptBy(keep []string, turn int) string {
	if turn < len(keep) {
		return keep[turn]
	}
	return ""
}

// unpaid returns what the hosted service is to speak for a version.
func (s *Service) unpaid(ctx context.Context, v *version) ([]backend.HostedSpeech, error) {
	var all []backend.HostedSpeech
	for _, h := range generations.SpeechesOf(v.fresh) {
		unpaid := h
		if _, ok := v.continued[h.GenerationID]; ok {
			var err error
			if unpaid, err = s.o.Hosted.Unpaid(ctx, h); err != nil {
				return nil, err
			}
		}
		if len(unpaid.Texts)+len(unpaid.Turns) > 0 {
			all = append(all, unpaid)
		}
	}
	return all, nil
}

// startVersion starts the jobs of a version, whose rows it writes before.
func (s *Service) startVersion(ctx context.Context, v *version, accepted *int64) error {
	unpaid, err := s.unpaid(ctx, v)
	if err != nil {
		return err
	}
	if err := s.gens.Makers.CheckSpeeches(ctx, accepted, unpaid); err != nil {
		return err
	}
	acceptPrice(v.fresh, accepted)
	giveBack, err := s.gens.Reserve(v.fresh)
	if err != nil {
		return err
	}
	if err := s.writeVersion(ctx, v); err != nil {
		giveBack()
		return err
	}
	for _, j := range v.fresh {
		s.gens.Accept(ctx, j)
	}
	return nil
}

// writeVersion writes the rows of the jobs of a version. A failure leaves them as they were.
func (s *Service) writeVersion(ctx context.Context, v *version) error {
	var created, requeued []string
	undo := func(cause error) error {
		for _, id := range requeued {
			_, err := s.o.Store.UpdateGeneration(context.WithoutCancel(ctx), id, func(row *backend.Generation) error {
				*row = v.continued[id]
				return nil
			})
			cause = errors.Join(cause, err)
		}
		return s.takeBack(ctx, created, cause)
	}
	for _, j := range v.fresh {
		if _, ok := v.continued[j.Row.ID]; ok {
			if err := s.gens.Requeue(j.Row.ID, generations.CheckRetryable)(ctx, j); err != nil {
				return undo(err)
			}
			requeued = append(requeued, j.Row.ID)
			continue
		}
		if err := s.gens.Create(ctx, j); err != nil {
			return undo(err)
		}
		created = append(created, j.Row.ID)
	}
	v.old.Spare = union(v.old.Spare, union(created, requeued))
	if err := s.o.Store.SetSpareTurns(ctx, v.old.ID, v.old.Spare); err != nil {
		return undo(err)
	}
	return nil
}

// isJoined reports whether a version that does not differ is the stored one, and its file has the present takes of all turns.
func (s *Service) isJoined(ctx context.Context, v *version) (bool, error) {
	if v.old.Title != v.next.Title || !slices.Equal(v.old.Speakers, v.next.Speakers) {
		return false, nil
	}
	if _, err := os.Stat(v.old.AudioPath); err != nil {
		return false, nil //nolint:nilerr // it is joined again, which reports what is wrong
	}
	now, err := s.oneWithTurns(ctx, v.old)
	if err != nil {
		return false, err
	}
	return slices.EqualFunc(now.Turns, now.Joined, func(g backend.Generation, joined string) bool {
		return g.Receipt != nil && g.Receipt.AudioSHA256 == joined
	}), nil
}

// joinAgain joins a version whose turns have other takes at most. The version before stays the one to return to.
func (s *Service) joinAgain(ctx context.Context, v *version) error {
	_, err := s.joinWith(ctx, v.old.ID, func(row *backend.Script) {
		row.Title, row.Speakers = v.next.Title, v.next.Speakers
	})
	return err
}

// replaceVersion joins the turns of a version to a new file and makes it the current one.
func (s *Service) replaceVersion(ctx context.Context, v *version) error {
	id := v.old.ID
	done, err := s.gens.Archive.Lock(ctx, id)
	if err != nil {
		return err
	}
	defer done()
	next, err := s.oneWithTurns(ctx, v.wanted())
	if err != nil {
		return err
	}
	if err := next.CheckTurns(); err != nil {
		return err
	}
	path := s.freePath(v.old)
	joined, err := s.writeScript(ctx, next, path)
	if err != nil {
		return withScript(err, id)
	}
	row, err := s.o.Store.UpdateScript(ctx, id, func(row *backend.Script) error {
		v.old = *row
		row.Previous = previous(*row)
		row.Title, row.GapMS, row.Generations, row.Speakers = next.Title, next.GapMS, next.Generations, next.Speakers
		row.Spare = slices.DeleteFunc(unused(v.old), func(id string) bool { return !s.gens.Busy(id) })
		joined.into(row, path)
		return nil
	})
	if err != nil {
		s.removeScriptFiles(id, v.old)
		return err
	}
	s.removeScriptFiles(id, row)
	s.dropTurns(ctx, union(unused(v.old), v.old.Generations))
	return nil
}

// previous returns the current version of a script as that before a revision; nil for one that was not joined.
func previous(row backend.Script) *backend.ScriptVersion {
	if row.AudioPath == "" {
		return nil
	}
	out := row.ScriptVersion
	out.File = filepath.Base(row.AudioPath)
	return &out
}

// unused returns the generations that a script has had and that are not in its current version.
func unused(row backend.Script) []string {
	ids := row.Spare
	if row.Previous != nil {
		ids = union(ids, row.Previous.Generations)
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(row.Generations, id) })
}

// UndoRevision returns a script to its version before the last revision. The turns that the revision made are used by the next
// one where they are equal. Errors: script_not_found, nothing_to_undo, not_in_progress while it is being generated.
func (s *Service) UndoRevision(ctx context.Context, id string) (backend.ScriptWithTurns, error) {
	release, ok := s.scripts.claim(id)
	if !ok {
		return backend.ScriptWithTurns{}, errScriptBusy.With("script_id", id)
	}
	defer release()
	done, err := s.gens.Archive.Lock(ctx, id)
	if err != nil {
		return backend.ScriptWithTurns{}, err
	}
	defer done()
	row, err := s.o.Store.UpdateScript(ctx, id, func(row *backend.Script) error {
		if row.Previous == nil {
			return backend.E(backend.CodeNothingToUndo, "There is no earlier version of this script.",
				"A script keeps one version: that before the last change.").With("script_id", id)
		}
		row.Spare = union(row.Spare, row.Generations)
		row.ScriptVersion, row.Previous = *row.Previous, nil
		row.AudioPath = s.scriptFile(row.File)
		row.File = ""
		if _, err := os.Stat(row.AudioPath); err != nil { // not in a backup, for example: it can be joined again
			row.AudioPath, row.Duration, row.SampleRate, row.Joined, row.Receipt = "", 0, 0, nil, nil
		}
		return nil
	})
	if err != nil {
		return backend.ScriptWithTurns{}, err
	}
	s.removeScriptFiles(id, row)
	return s.oneWithTurns(ctx, row)
}

// dropTurns deletes generations that no script has any longer.
func (s *Service) dropTurns(ctx context.Context, ids []string) {
	if len(ids) == 0 {
		return
	}
	ctx = context.WithoutCancel(ctx)
	n, err := s.gens.Archive.Remove(ctx, ids, func(ctx context.Context, ids []string) ([]backend.Generation, error) {
		return s.o.Store.DropTurns(ctx, slices.DeleteFunc(ids, s.gens.Busy))
	})
	if err != nil {
		s.o.Log.Warn("delete the turns that a script no longer has", "error", err)
	}
	if n > 0 && s.o.Expired != nil {
		backend.Protect(s.o.Log, "the event of deleted turns", func() { s.o.Expired(n) })
	}
}

// scriptsDir returns the folder of joined files.
func (s *Service) scriptsDir() string { return filepath.Join(s.o.Dir, "scripts") }

// scriptFile returns the path of a joined file by its name.
func (s *Service) scriptFile(name string) string {
	return filepath.Join(s.scriptsDir(), filepath.Base(name))
}

// freePath returns a path for a joined file that neither version of a script has.
func (s *Service) freePath(row backend.Script) string {
	name := row.ID + ".wav"
	for n := 2; name == filepath.Base(row.AudioPath) || row.Previous != nil && name == row.Previous.File; n++ {
		name = row.ID + "-" + strconv.Itoa(n) + ".wav"
	}
	return s.scriptFile(name)
}

// removeScriptFiles removes the joined files of a script except those of a row, also those that a crash left.
func (s *Service) removeScriptFiles(id string, keep ...backend.Script) {
	names, err := fs.Glob(os.DirFS(s.scriptsDir()), id+"*.wav")
	if err != nil {
		s.o.Log.Warn("list the audio of a script", "id", id, "error", err)
	}
	for _, name := range names {
		if slices.ContainsFunc(keep, func(row backend.Script) bool {
			return name == filepath.Base(row.AudioPath) || row.Previous != nil && name == row.Previous.File
		}) {
			continue
		}
		if err := os.Remove(s.scriptFile(name)); err != nil {
			s.o.Log.Warn("remove the audio of a script", "id", id, "error", err)
		}
	}
}

// union returns the values of both lists, each once.
func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, x := range b {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

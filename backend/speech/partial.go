package speech

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

const (
	partialFolder  = "partial"
	hostedFolder   = "hosted"            // of the parts of hosted generations, in folders named by these
	journalSuffix  = ".journal"          // of the name of a journal, after the id of its generation
	revisionSuffix = ".revision.journal" // the same of the journal of a revision, after the version that it changes

	// revisionKept is how long the journal of a revision that was killed or failed waits for the same change.
	revisionKept = 7 * 24 * time.Hour
)

// journalPath returns the path of the journal of a generation. TempDir is emptied at each start, so it is not there.
func (s *Service) journalPath(id string) string {
	return filepath.Join(s.o.Dir, partialFolder, id+journalSuffix)
}

// revisionPath returns the path of the journal of a revision of this version of a generation.
func (s *Service) revisionPath(g backend.Generation) string {
	return filepath.Join(s.o.Dir, partialFolder, g.ID+"."+strconv.Itoa(g.Version)+revisionSuffix)
}

// revisionPaths returns the paths of all journals of revisions of a generation, * = of all generations.
func (s *Service) revisionPaths(id string) []string {
	paths, _ := filepath.Glob(filepath.Join(s.o.Dir, partialFolder, id+".*"+revisionSuffix)) // the pattern is well formed
	return paths
}

// reuse is how the segments of a run are found among those of earlier runs.
type reuse struct {
	journal *journal
	keys    []string // of the segments
	setting string
	earlier []bool // the segments that an earlier run synthesized
	mixed   bool   // one of them with another setting
}

// newReuse returns how a run that speaks segments uses a journal; nil without one.
func (s *Service) newReuse(ctx context.Context, run Run, segments []segment) (*reuse, error) {
	stored, loaded := run.Journal, run.Loaded
	if stored == nil {
		return nil, nil
	}
	voice, err := s.voiceKey(ctx, run.Plan, loaded)
	if err != nil {
		return nil, err
	}
	r := &reuse{journal: stored, setting: settingOf(s.o.Version, loaded.Info())}
	plan := make([]plannedSegment, len(segments))
	for i, seg := range segments {
		key := hashOf(voice, seg.text, seg.seed, seg.trimStart, seg.trimEnd)
		plan[i] = plannedSegment{Line: seg.line, Key: key, Asked: seg.asked, Own: seg.own}
		setting, ok := stored.find(key)
		r.keys, r.earlier = append(r.keys, key), append(r.earlier, ok)
		r.mixed = r.mixed || ok && setting != r.setting
	}
	return r, stored.begin(plan)
}

// voiceKey identifies the voice of a plan with all that changes how it sounds.
func (s *Service) voiceKey(ctx context.Context, p *Plan, loaded *engines.Loaded) (string, error) {
	info, sample := loaded.Info(), ""
	if info.Clones != nil {
		ref, err := s.reference(ctx, p.voice, *info.Clones)
		if err != nil {
			return "", err
		}
		if ref != nil {
			sample = ref.Key
		}
	}
	return hashOf(info.Engine, loaded.Model, loaded.Revision, loaded.Files, p.voice.id, p.voice.language, sample, p.speed,
		or(p.steps, info.Steps), info.SampleRate, info.Channels), nil
}

// settingOf identifies what may change single samples of the same voice: the program, the device and its libraries.
func settingOf(version string, info engines.Info) string {
	return hashOf(version, info.Device, info.Threads, info.Runtimes)
}

// hashOf returns a short hash of values, which have a JSON form.
func hashOf(values ...any) string {
	raw, _ := json.Marshal(values) // strings, numbers, and lists and maps of them
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:16])
}

// speak synthesizes a segment, or returns that of an earlier run. A new one is stored, and then counted by finished. There is no
// store where r is nil.
func (r *reuse) speak(
	i int, emit func(engines.Sound) error, synthesize func(emit func(engines.Sound) error) error, finished func(i int),
) error {
	if r.has(i) {
		return r.journal.replay(r.keys[i], emit)
	}
	var made keptSegment
	err := synthesize(func(s engines.Sound) error {
		if r != nil {
			made.add(s)
		}
		return emit(s)
	})
	if err != nil && (len(made.Sounds) > 0 || backend.CodeOf(err) != backend.CodeNothingToSpeak) {
		return err
	}
	if r != nil {
		made.Key, made.Setting = r.keys[i], r.setting
		if stored := r.journal.add(&made); stored != nil {
			return errors.Join(stored, err)
		}
	}
	finished(i)
	return err
}

// has reports whether an earlier run synthesized a segment.
func (r *reuse) has(i int) bool { return r != nil && r.earlier[i] }

// leaveJournal closes the journal of a run and records in the job what it holds. It is removed if no later run can use it.
func (s *Service) leaveJournal(j *job, stored *journal) {
	partial, keep := stored.partial(), j.snapshot().Status != backend.StatusComplete && !stored.empty()
	if err := stored.close(keep); err != nil {
		s.o.Log.Warn("close the finished chunks of a generation", "id", j.g.ID, "error", err)
	}
	if !keep {
		s.removeJournal(j.g.ID)
		partial = nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ran, j.partial = true, partial
}

// stored counts a part of a hosted generation whose audio is stored, of total.
func (j *job) stored(total int, part backend.HostedAudio) {
	sound := hostedSeconds(part)
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.partial == nil {
		j.ran, j.partial = true, &backend.Partial{Total: total}
	}
	j.partial.Chunks++
	j.partial.Seconds = thousandths(j.partial.Seconds + sound)
}

// leaveRevision closes the journal of a revision, which stays for the next one where this one was stopped or failed.
func (s *Service) leaveRevision(j *job, rev *revision, stored *journal, complete bool) {
	j.mu.Lock()
	keep := !complete && !j.discard && !stored.empty()
	j.mu.Unlock()
	if err := stored.close(keep); err != nil {
		s.o.Log.Warn("close the finished chunks of a revision", "id", j.g.ID, "error", err)
	}
	if !keep {
		s.removeChunks(s.revisionPath(rev.base))
	}
}

func (s *Service) removeJournal(id string) {
	s.forgetRecalled(id)
	s.removeChunks(s.journalPath(id))
}

func (s *Service) removeChunks(paths ...string) {
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.o.Log.Warn("remove finished chunks", "file", filepath.Base(path), "error", err)
		}
	}
}

// partialOf returns what is stored of a job that has ended without being complete, after what was stored of it before.
func (s *Service) partialOf(j *job, before *backend.Partial) *backend.Partial {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.discard && j.hosted == nil: // what is paid stays
		s.removeJournal(j.g.ID)
		return nil
	case j.ran:
		return j.partial
	default:
		return before
	}
}

// thousandths rounds seconds for the history.
func thousandths(seconds float64) float64 { return math.Round(seconds*1000) / 1000 }

// recoverPartial records what the journals hold after a crash, and removes those that no generation needs. A restored backup has
// none: then nothing is said to be stored.
func (s *Service) recoverPartial(ctx context.Context) error {
	paths, _ := filepath.Glob(s.journalPath("*")) // the patterns are well formed
	revisions := s.revisionPaths("*")
	paths = slices.DeleteFunc(paths, func(path string) bool { return slices.Contains(revisions, path) })
	hosted, _ := filepath.Glob(filepath.Join(s.o.Dir, hostedFolder, "*"))
	var stored []string
	for _, path := range slices.Concat(paths, hosted) {
		stored = append(stored, strings.TrimSuffix(filepath.Base(path), journalSuffix))
	}
	if err := s.o.Store.KeepPartials(ctx, stored); err != nil {
		return err
	}
	for _, path := range paths {
		id := strings.TrimSuffix(filepath.Base(path), journalSuffix)
		g, err := s.o.Store.Generation(ctx, id)
		if backend.CodeOf(err) == backend.CodeGenerationNotFound || err == nil && g.Status == backend.StatusComplete {
			s.removeJournal(id)
			continue
		}
		if err != nil {
			return err
		}
		if g.Partial != nil && g.Status == backend.StatusCancelled { // it was recorded when it ended
			continue
		}
		partial, empty, err := readPartial(path)
		if err != nil {
			s.o.Log.Warn("read the finished chunks of a generation", "id", id, "error", err)
			continue
		}
		if empty { // the program was killed before the first sentence was finished
			s.removeJournal(id)
			partial = nil
		}
		_, err = s.o.Store.UpdateGeneration(ctx, id, func(g *backend.Generation) error {
			g.Partial = partial
			return nil
		})
		if err != nil {
			return err
		}
	}
	return s.recoverRevisions(ctx, revisions)
}

// recoverRevisions removes the journals of revisions that no change of a text will need.
func (s *Service) recoverRevisions(ctx context.Context, paths []string) error {
	for _, path := range paths {
		id, _, _ := strings.Cut(filepath.Base(path), ".")
		g, err := s.o.Store.Generation(ctx, id)
		if err != nil && backend.CodeOf(err) != backend.CodeGenerationNotFound {
			return err
		}
		info, unread := os.Stat(path)
		_, empty, damaged := readPartial(path)
		if err != nil || unread != nil || path != s.revisionPath(g) || s.o.Now().Sub(info.ModTime()) > revisionKept || empty && damaged == nil {
			s.removeChunks(path)
		}
	}
	return nil
}

// dropPartial removes the finished chunks of a generation that has ended. Hosted ones are paid, and removed with their
// generation only.
func (s *Service) dropPartial(ctx context.Context, id string) (backend.Generation, error) {
	g, err := s.o.Store.UpdateGeneration(ctx, id, func(g *backend.Generation) error {
		if !g.Status.Ended() || g.Partial == nil || g.Source == backend.SourceHosted {
			return errEnded
		}
		g.Partial = nil
		return nil
	})
	if err != nil {
		return g, err
	}
	s.removeJournal(id)
	s.notify(g)
	return g, nil
}

var errEnded = backend.E(backend.CodeNotInProgress, "This generation has already ended.", "There is nothing to cancel.")

package speech

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// MaxTurns is how many turns a script may have.
const MaxTurns = 200

// ScriptRequest asks for a text in several voices.
type ScriptRequest struct {
	Turns []Request // 1 to MaxTurns
	Gap   time.Duration
	Title string
}

// Script is a stored script with its turns as they are now.
type Script struct {
	backend.Script
	Turns []backend.Generation
}

// Script speaks every turn as a generation of its own, then joins them to one file. A turn that fails does not hold up the
// others; its error is given with params.script_id, and after a retry of the turn JoinScript makes the file. When ctx ends
// before, what has not ended is cancelled. Errors: ValidationError naming the turn, those of Submit and of speaking.
func (s *Service) Script(ctx context.Context, r ScriptRequest) (Script, error) {
	stored, jobs, err := s.submitScript(ctx, r)
	if err != nil {
		return Script{}, err
	}
	if err := s.waitAll(ctx, jobs); err != nil {
		return Script{}, withScript(err, stored.ID)
	}
	return s.JoinScript(ctx, stored.ID)
}

// SubmitScript is Script that returns at acceptance; the file is made when the last turn has ended.
func (s *Service) SubmitScript(ctx context.Context, r ScriptRequest) (Script, error) {
	stored, jobs, err := s.submitScript(ctx, r)
	if err != nil {
		return Script{}, err
	}
	ctx = context.WithoutCancel(ctx)
	s.work.Go(func() {
		err := s.waitAll(ctx, jobs)
		if err == nil {
			_, err = s.JoinScript(ctx, stored.ID)
		}
		if err != nil {
			s.o.Log.Warn("finish a script", "id", stored.ID, "error", err)
		}
	})
	return s.withTurns(ctx, stored)
}

// submitScript checks all turns before the first is accepted.
func (s *Service) submitScript(ctx context.Context, r ScriptRequest) (backend.Script, []*job, error) {
	jobs, err := s.prepareTurns(ctx, r.Turns)
	if err != nil {
		return backend.Script{}, nil, err
	}
	stored := backend.Script{ID: s.o.NewID(), Title: strings.TrimSpace(r.Title), GapMS: int(r.Gap.Milliseconds())}
	for _, j := range jobs {
		stored.Generations = append(stored.Generations, j.g.ID)
	}
	if stored, err = s.o.Store.CreateScript(ctx, stored); err != nil {
		return stored, nil, err
	}
	for i, j := range jobs {
		if err := s.enqueue(ctx, j, s.create); err != nil {
			for _, waiting := range jobs[:i] {
				s.stop(waiting)
				<-waiting.done
			}
			_, errDelete := s.o.Store.DeleteScript(context.WithoutCancel(ctx), stored.ID)
			return stored, nil, errors.Join(err, errDelete)
		}
	}
	return stored, jobs, nil
}

func (s *Service) prepareTurns(ctx context.Context, turns []Request) ([]*job, error) {
	switch {
	case len(turns) == 0:
		return nil, backend.Invalid("too_short", "List should have at least 1 item", "body", "turns")
	case len(turns) > MaxTurns:
		return nil, backend.Invalid("too_long", "List should have at most "+strconv.Itoa(MaxTurns)+" items", "body", "turns")
	}
	var jobs []*job
	for i, r := range turns {
		profile, err := s.o.Store.Profile(ctx, r.ProfileID)
		var j *job
		if err == nil {
			j, err = s.prepare(ctx, r, profile)
		}
		if err != nil {
			return nil, inTurnOf(err, i)
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// inTurnOf says in which turn a mistake is.
func inTurnOf(err error, i int) error {
	var invalid *backend.ValidationError
	if !errors.As(err, &invalid) {
		return backend.AsError(err).With("turn", i)
	}
	out := &backend.ValidationError{}
	for _, f := range invalid.Fields {
		if len(f.Loc) > 1 && f.Loc[0] == "body" {
			f.Loc = append([]string{"body", "turns", strconv.Itoa(i)}, f.Loc[1:]...)
		}
		out.Fields = append(out.Fields, f)
	}
	return out
}

// waitAll waits for all jobs and gives the first failure.
func (s *Service) waitAll(ctx context.Context, jobs []*job) error {
	var first error
	for _, j := range jobs {
		if _, err := s.wait(ctx, j); err != nil && first == nil {
			first = err
		}
	}
	return first
}

func withScript(err error, id string) error { return backend.AsError(err).With("script_id", id) }

// StoredScript gives a script. Errors: script_not_found.
func (s *Service) StoredScript(ctx context.Context, id string) (Script, error) {
	stored, err := s.o.Store.Script(ctx, id)
	if err != nil {
		return Script{}, err
	}
	return s.withTurns(ctx, stored)
}

// withTurns gives the turns that are still in the history.
func (s *Service) withTurns(ctx context.Context, stored backend.Script) (Script, error) {
	out := Script{Script: stored, Turns: []backend.Generation{}}
	for _, id := range stored.Generations {
		g, err := s.Generation(ctx, id)
		if backend.CodeOf(err) == backend.CodeGenerationNotFound {
			continue
		}
		if err != nil {
			return out, err
		}
		out.Turns = append(out.Turns, g)
	}
	return out, nil
}

// Scripts gives a part of the stored scripts, newest first.
func (s *Service) Scripts(ctx context.Context, page backend.Page) (backend.List[Script], error) {
	list, err := s.o.Store.Scripts(ctx, page)
	out := backend.List[Script]{Total: list.Total, TotalCapped: list.TotalCapped, NextCursor: list.NextCursor, Items: []Script{}}
	for _, stored := range list.Items {
		if err != nil {
			break
		}
		var full Script
		full, err = s.withTurns(ctx, stored)
		out.Items = append(out.Items, full)
	}
	return out, err
}

// DeleteScript removes a script and its file; its turns stay in the history. Errors: script_not_found.
func (s *Service) DeleteScript(ctx context.Context, id string) error {
	gone, err := s.o.Store.DeleteScript(ctx, id)
	if err != nil || gone.AudioPath == "" {
		return err
	}
	if err := os.Remove(gone.AudioPath); err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.o.Log.Warn("remove the audio of a deleted script", "id", id, "error", err)
	}
	return nil
}

// JoinScript makes the file of a script from its turns as they are now. Errors: script_not_found, generation_not_found and
// not_in_progress naming the turn that is gone or not finished, audio_missing.
func (s *Service) JoinScript(ctx context.Context, id string) (Script, error) {
	stored, err := s.o.Store.Script(ctx, id)
	if err != nil {
		return Script{}, err
	}
	out, err := s.withTurns(ctx, stored)
	if err != nil {
		return out, err
	}
	if err := joinable(out); err != nil {
		return out, err
	}
	path := filepath.Join(s.o.Dir, "scripts", id+".wav")
	frames, rate, err := s.writeScript(ctx, out, path)
	if err != nil {
		return out, withScript(err, id)
	}
	out.Script, err = s.o.Store.UpdateScript(ctx, id, func(row *backend.Script) error {
		row.AudioPath, row.Duration, row.SampleRate = path, seconds(frames, rate), rate
		return nil
	})
	return out, err
}

func joinable(script Script) error {
	have := map[string]backend.Status{}
	for _, g := range script.Turns {
		have[g.ID] = g.Status
	}
	for i, id := range script.Generations {
		switch status, ok := have[id]; {
		case !ok:
			return backend.E(backend.CodeGenerationNotFound, fmt.Sprintf("Turn %d of the script was deleted.", i+1),
				"Make the script again.").With("script_id", script.ID).With("generation_id", id).With("turn", i)
		case status != backend.StatusComplete:
			return backend.E(backend.CodeNotInProgress, fmt.Sprintf("Turn %d of the script is not finished.", i+1),
				"Retry that turn, then join the script.").With("script_id", script.ID).With("generation_id", id).With("turn", i)
		}
	}
	return nil
}

// writeScript joins the turns at the highest of their rates into a file that is there whole or not at all.
func (s *Service) writeScript(ctx context.Context, script Script, path string) (frames int64, rate int, err error) {
	channels := 1
	for _, g := range script.Turns {
		rate, channels = max(rate, g.SampleRate), max(channels, g.Channels)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return 0, 0, backend.FileError("make the folder of scripts", "the data directory", err)
	}
	part, err := os.CreateTemp(s.unfinished(), script.ID+".*.wav")
	if err != nil {
		return 0, 0, backend.FileError("make the audio file", "the data directory", err)
	}
	defer func() { _ = os.Remove(part.Name()) }() // gone already when it went well
	w, err := audio.NewWAVWriter(part, rate, channels)
	if err != nil {
		return 0, 0, errors.Join(err, part.Close())
	}
	joiner := audio.NewJoiner(rate, channels, 0, w.Write)
	err = s.joinTurns(ctx, script, joiner, rate, channels)
	if err := errors.Join(err, w.Close(), part.Sync(), part.Close()); err != nil {
		return 0, 0, backend.FileError("write the audio", "the data directory", err)
	}
	if err := os.Rename(part.Name(), path); err != nil {
		return 0, 0, backend.FileError("move the audio into place", "the data directory", err)
	}
	return joiner.Frames(), rate, backend.FileError("write the audio directory", "the data directory", syncDir(filepath.Dir(path)))
}

func (s *Service) joinTurns(ctx context.Context, script Script, joiner *audio.Joiner, rate, channels int) error {
	for i, g := range script.Turns {
		if i > 0 {
			if err := joiner.Pause(time.Duration(script.GapMS) * time.Millisecond); err != nil {
				return err
			}
		}
		if err := joiner.Start(); err != nil {
			return err
		}
		if err := s.readTurn(ctx, g, rate, channels, joiner.Write); err != nil {
			return audioGone(g.ID, err)
		}
	}
	return joiner.Close()
}

// readTurn gives the sound of a generation at a rate: block by block where it has that rate, else whole.
func (s *Service) readTurn(ctx context.Context, g backend.Generation, rate, channels int, emit func([]float32) error) error {
	if _, err := os.Stat(g.AudioPath); err != nil {
		return err
	}
	if g.Format == audio.FormatWAV && g.SampleRate == rate {
		return readPart(ctx, g.AudioPath, 0, frames(g.Duration, rate), func(samples []float32) error {
			return emit(spread(samples, g.Channels, channels))
		})
	}
	sound, err := s.o.Encoder.Decode(ctx, g.AudioPath)
	if err != nil {
		return err
	}
	sound = sound.Resampled(rate)
	return emit(spread(sound.Samples, sound.Channels, channels))
}

// spread puts mono sound on several channels; other sound has as many as it needs already.
func spread(samples []float32, have, want int) []float32 {
	if have >= want {
		return samples
	}
	out := make([]float32, 0, len(samples)*want)
	for _, x := range samples {
		for range want {
			out = append(out, x)
		}
	}
	return out
}

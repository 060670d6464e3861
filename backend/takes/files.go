package takes

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/speech/journal"
)

// revisionKept is how long the journal of a revision that was killed or failed waits for the same change.
const revisionKept = 7 * 24 * time.Hour

// Files are the files of takes and of changes that are under way.
type Files struct {
	store Store
	Synth *speech.Synthesizer
	now   func() time.Time
	log   *slog.Logger
}

// OpenFiles ends the changes that a crash interrupted, before the temporary folder is emptied.
func OpenFiles(ctx context.Context, store Store, synth *speech.Synthesizer, now func() time.Time, log *slog.Logger) (*Files, error) {
	f := &Files{store: store, Synth: synth, now: now, log: log}
	return f, errors.Join(f.finishReplacements(ctx), f.recoverRevisions(ctx), f.finishDeletions(ctx))
}

// Remove removes the files of a deleted generation.
func (f *Files) Remove(_ context.Context, g backend.Generation) {
	if err := files.RemoveAll(f.of(g).path); err != nil {
		f.log.Warn("remove the takes of a deleted generation", "id", g.ID, "error", err)
	}
	f.Synth.RemoveChunks(f.Synth.RevisionPaths(g.ID)...)
}

func (f *Files) of(g backend.Generation) takesFolder {
	return takesFolder{filepath.Join(f.Synth.Dir(), "takes", g.ID), g.Version}
}

func (f *Files) make(g backend.Generation) (takesFolder, error) {
	dir := f.of(g)
	if err := os.MkdirAll(dir.path, 0o700); err != nil {
		return dir, backend.FileError("make the folder of takes", "the data directory", err)
	}
	return dir, nil
}

// takesFolder holds the takes of the versions of one generation: <chunk>-<take>.wav, those of later versions v<version>-<chunk>-
// <take>.wav, with the times of its words beside it where they are known, and for a compressed generation the samples before
// compression.
type takesFolder struct {
	path    string
	version int
}

func (d takesFolder) file(chunk, take int) string {
	name := strconv.Itoa(chunk) + "-" + strconv.Itoa(take) + ".wav"
	if d.version > 0 {
		name = "v" + strconv.Itoa(d.version) + "-" + name
	}
	return filepath.Join(d.path, name)
}

// versionOf returns the version of a take by the name of its file; false for other files.
func versionOf(name string) (version int, ok bool) {
	parts := strings.Split(name, "-")
	switch {
	case len(parts) == 2 && parts[0] != "master":
		return 0, true
	case len(parts) == 3:
		version, err := strconv.Atoi(strings.TrimPrefix(parts[0], "v"))
		return version, err == nil
	}
	return 0, false
}

// master returns the path of the samples from which the file with this hash was compressed.
func (d takesFolder) master(sha256 string) string {
	return filepath.Join(d.path, "master-"+sha256[:min(len(sha256), 16)]+".wav")
}

// replacement is a change of a generation's file. It is recorded in the temporary folder until it is done, so that after a
// crash only the file that the row names is kept.
type replacement struct {
	ID    string   `json:"id"`
	Paths []string `json:"paths"` // the old file and the new one
}

func (f *Files) replacementFile(id string) string {
	return filepath.Join(f.Synth.TempDir(), id+".replacing")
}

// sweep removes the files of a replacement that neither the row nor its former version names, all of them when there is no row.
func (f *Files) sweep(ctx context.Context, r replacement, row backend.Generation, deleted bool) {
	folder := takesFolder{path: filepath.Join(f.Synth.Dir(), "takes", r.ID)}
	keep, versions := map[string]bool{}, map[int]bool{}
	if deleted {
		_ = files.RemoveAll(folder.path)
	} else {
		former, ok, err := f.store.FormerVersion(context.WithoutCancel(ctx), r.ID)
		if err != nil {
			f.log.Warn("find the former version of a generation", "id", r.ID, "error", err)
			return
		}
		current := []backend.FormerVersion{row.Replaced()}
		if ok {
			current = append(current, former)
		}
		for _, v := range current {
			keep[v.AudioPath], versions[v.Version] = true, true
			if v.Receipt != nil {
				keep[folder.master(v.Receipt.AudioSHA256)] = true
			}
		}
	}
	stored, _ := filepath.Glob(filepath.Join(folder.path, "*")) // the pattern is well formed
	for _, path := range append(stored, r.Paths...) {
		if version, ok := versionOf(filepath.Base(path)); keep[path] || ok && versions[version] && filepath.Dir(path) == folder.path {
			continue
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			f.log.Warn("remove a replaced file", "path", path, "error", err)
		}
	}
}

// finishReplacements ends the replacements that a crash interrupted.
func (f *Files) finishReplacements(ctx context.Context) error {
	notes, _ := filepath.Glob(f.replacementFile("*")) // the pattern is well formed
	for _, note := range notes {
		raw, err := os.ReadFile(note)
		var r replacement
		if err != nil || json.Unmarshal(raw, &r) != nil {
			continue
		}
		row, err := f.store.Generation(ctx, r.ID)
		deleted := backend.CodeOf(err) == backend.CodeGenerationNotFound
		if err != nil && !deleted {
			return err
		}
		f.sweep(ctx, r, row, deleted)
	}
	return nil
}

// finishDeletions removes the files of generations and scripts whose rows were deleted when the program was killed.
func (f *Files) finishDeletions(ctx context.Context) error {
	err := f.Synth.Deletions().Finish(func(id string) (bool, error) {
		_, err := f.store.Generation(ctx, id)
		if backend.CodeOf(err) == backend.CodeGenerationNotFound {
			_, err = f.store.Script(ctx, id)
		}
		if backend.CodeOf(err) == backend.CodeScriptNotFound {
			return false, nil
		}
		return true, err
	})
	return backend.FileError("remove the audio of what was deleted", "the data directory", err)
}

// recoverRevisions removes the journals of revisions that no change of a text will need.
func (f *Files) recoverRevisions(ctx context.Context) error {
	for _, path := range f.Synth.RevisionPaths("*") {
		id, _, _ := strings.Cut(filepath.Base(path), ".")
		g, err := f.store.Generation(ctx, id)
		if err != nil && backend.CodeOf(err) != backend.CodeGenerationNotFound {
			return err
		}
		info, unread := os.Stat(path)
		_, empty, damaged := journal.ReadPartial(path)
		old := unread == nil && f.now().Sub(info.ModTime()) > revisionKept
		if err != nil || unread != nil || old || path != f.Synth.RevisionPath(g) || empty && damaged == nil {
			f.Synth.RemoveChunks(path)
		}
	}
	return nil
}

package speech

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// replacement is a change of a generation's file. It is recorded in the temporary folder until it is done, so that after a
// crash only the file that the row names is kept.
type replacement struct {
	ID    string   `json:"id"`
	Paths []string `json:"paths"` // the old file and the new one
}

func (s *Service) replacementFile(id string) string {
	return filepath.Join(s.TempDir(), id+".replacing")
}

// replaceAudio writes the spool as the new file of a generation, beside the old one, then updates the row with its
// path, times and receipt in one transaction. A failure leaves file and row unchanged. The caller holds the lock of
// its files.
func (s *Service) replaceAudio(
	ctx context.Context, g backend.Generation, sp *spool, made recording,
) (_ backend.Generation, err error) {
	old, path := g.AudioPath, nextVersion(g.AudioPath)
	note, err := json.Marshal(replacement{g.ID, []string{old, path}})
	if err != nil {
		return g, fmt.Errorf("note the replacement of a file: %w", err)
	}
	if err := s.writeFile(s.replacementFile(g.ID), note); err != nil {
		return g, backend.FileError("note the replacement of a file", "the data directory", err)
	}
	out := g
	defer func() {
		current := g
		if err == nil {
			current = out
		}
		s.sweep(ctx, replacement{g.ID, []string{old, path}}, current, backend.CodeOf(err) == backend.CodeGenerationNotFound)
		_ = os.Remove(s.replacementFile(g.ID))
	}()
	file, err := s.render(ctx, g, sp, made, path)
	if err != nil {
		return g, err
	}
	if g.Format != backend.FormatWAV { // the next take starts from these samples, not from their compressed form
		if _, err := s.render(ctx, asWAV(g), sp, made, s.takes(g).master(file.sha256)); err != nil {
			return g, err
		}
	}
	out, err = s.o.Store.UpdateGeneration(context.WithoutCancel(ctx), g.ID, func(row *backend.Generation) error {
		row.AudioPath, row.Chunks, row.Duration = path, g.Chunks, seconds(made.frames, g.SampleRate)
		row.Receipt.Chunks, row.Receipt.AudioSHA256 = g.Receipt.Chunks, file.sha256
		row.Receipt.GainDB, row.Receipt.Level, row.Version = g.Receipt.GainDB, g.Receipt.Level, g.Version
		row.Receipt.Sum()
		row.SetVerification()
		return nil
	})
	if err != nil {
		return g, fmt.Errorf("write down the new takes: %w", err)
	}
	s.notify(out)
	return out, nil
}

// sweep removes the files of a replacement that neither the row nor its former version names, all of them when there is no row.
func (s *Service) sweep(ctx context.Context, r replacement, row backend.Generation, deleted bool) {
	folder := takesFolder{path: filepath.Join(s.o.Dir, "takes", r.ID)}
	keep, versions := map[string]bool{}, map[int]bool{}
	if deleted {
		_ = os.RemoveAll(folder.path)
	} else {
		former, ok, err := s.o.Store.FormerVersion(context.WithoutCancel(ctx), r.ID)
		if err != nil {
			s.o.Log.Warn("find the former version of a generation", "id", r.ID, "error", err)
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
			s.o.Log.Warn("remove a replaced file", "path", path, "error", err)
		}
	}
}

// finishReplacements ends the replacements that a crash interrupted.
func (s *Service) finishReplacements(ctx context.Context) error {
	notes, _ := filepath.Glob(s.replacementFile("*")) // the pattern is well formed
	for _, note := range notes {
		raw, err := os.ReadFile(note)
		var r replacement
		if err != nil || json.Unmarshal(raw, &r) != nil {
			continue
		}
		row, err := s.o.Store.Generation(ctx, r.ID)
		deleted := backend.CodeOf(err) == backend.CodeGenerationNotFound
		if err != nil && !deleted {
			return err
		}
		s.sweep(ctx, r, row, deleted)
	}
	return nil
}

// nextVersion names the file that comes after path: <id>.wav, <id>.1.wav, <id>.2.wav, ...
func nextVersion(path string) string {
	ext := filepath.Ext(path)
	stem := strings.TrimSuffix(path, ext)
	version := 0
	if number := filepath.Ext(stem); number != "" {
		if n, err := strconv.Atoi(number[1:]); err == nil {
			stem, version = strings.TrimSuffix(stem, number), n
		}
	}
	return stem + "." + strconv.Itoa(version+1) + ext
}

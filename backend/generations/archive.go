package generations

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/generations/locks"
	"github.com/voicewright/voicewright/backend/speech"
)

// Archive holds the files of the history.
type Archive struct {
	base
	gens  *Service
	files locks.Locks // of generations and scripts whose file is replaced or removed
}

// AudioFile returns the path of the audio of a finished generation or script.
// Errors: generation_not_found, audio_missing.
func (a *Archive) AudioFile(ctx context.Context, id string) (string, error) {
	g, err := a.o.Store.Generation(ctx, id)
	if backend.CodeOf(err) == backend.CodeGenerationNotFound {
		if script, err := a.o.Store.Script(ctx, id); err == nil && script.AudioPath != "" {
			return script.AudioPath, nil
		}
	}
	if err != nil {
		return "", err
	}
	if g.AudioPath == "" {
		return "", backend.E(backend.CodeAudioMissing, "This generation has no audio.", "Regenerate it.").
			With("generation_id", id)
	}
	return g.AudioPath, nil
}

// Path returns the path of the audio of a generation.
func (a *Archive) Path(g backend.Generation) string {
	return filepath.Join(a.o.Dir, g.CreatedAt.UTC().Format("2006-01"), FileName(g))
}

// FileName returns the name of the file of a generation. A row of a library that somebody else wrote cannot lead to another folder.
func FileName(g backend.Generation) string { return filepath.Base(g.ID + "." + g.Format) }

// Peaks returns n peaks of a finished generation's sound for drawing.
// Errors: generation_not_found, audio_missing, runtime_missing for a compressed file without ffmpeg.
func (a *Archive) Peaks(ctx context.Context, id string, n int) ([]audio.Peak, error) {
	path, err := a.AudioFile(ctx, id)
	if err != nil {
		return nil, err
	}
	path, drop, err := a.synth.Decoded(ctx, path, 0)
	defer drop()
	if err != nil {
		return nil, speech.AudioGone(id, err)
	}
	return wavPeaks(path, id, n)
}

// wavPeaks reads a WAV file of any length with flat memory.
func wavPeaks(path, id string, n int) ([]audio.Peak, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, speech.AudioGone(id, backend.FileError("read the audio", "the data directory", err))
	}
	defer func() { _ = f.Close() }()
	info, err := audio.ProbeWAV(f)
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read the audio: %w", err)
	}
	r, err := audio.NewWAVReader(f)
	if err != nil {
		return nil, err
	}
	wave := audio.NewWaveform(info.Frames, info.Channels, n)
	block := make([]float32, 1<<14*info.Channels)
	for {
		got, err := r.Read(block)
		wave.Write(block[:got])
		if errors.Is(err, io.EOF) {
			return wave.Peaks(), nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the audio: %w", err)
		}
	}
}

// Use is the disk space of some files.
type Use struct {
	Files   int   `json:"files"`
	Bytes   int64 `json:"bytes"`
	Missing int   `json:"missing" doc:"generations whose file is missing"`
}

// Storage is the disk space that the history uses.
type Storage struct {
	Use
	Books Use // the part of audiobooks
}

// add adds a file, or one that is missing.
func (u *Use) add(info fs.FileInfo, err error) {
	if err != nil {
		u.Missing++
		return
	}
	u.Files++
	u.Bytes += info.Size()
}

// Storage measures the audio files of the history.
func (a *Archive) Storage(ctx context.Context) (Storage, error) {
	var out Storage
	paths, err := a.o.Store.AudioPaths(ctx)
	if err != nil {
		return out, err
	}
	former, err := a.o.Store.FormerPaths(ctx)
	if err != nil {
		return out, err
	}
	ids, err := a.o.Store.GenerationsOfBooks(ctx)
	if err != nil {
		return out, err
	}
	ofBooks := map[string]bool{}
	for _, id := range ids {
		ofBooks[id] = true
	}
	add := func(name string, info fs.FileInfo, err error) {
		out.add(info, err)
		if id, _, _ := strings.Cut(name, "."); ofBooks[id] {
			out.Books.add(info, err)
		}
	}
	for _, path := range append(former, slices.Collect(maps.Values(paths))...) {
		info, err := os.Stat(path)
		add(filepath.Base(path), info, err)
	}
	err = a.measureFolders(add) // which adds to out
	return out, err
}

// measureFolders adds the files of takes, scripts, unfinished generations and hosted parts, by the names of their generations.
func (a *Archive) measureFolders(add func(name string, info fs.FileInfo, err error)) error {
	for _, folder := range []string{"takes", "scripts", hostedFolder, speech.PartialFolder} {
		root := filepath.Join(a.o.Dir, folder)
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err == nil {
				name, _ := filepath.Rel(root, path)                                // it is below
				add(strings.Split(name, string(filepath.Separator))[0], info, nil) // of a generation: its folder, or the file
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return backend.FileError("measure the audio", "the data directory", err)
		}
	}
	return nil
}

// Lock blocks until the caller alone may replace or remove the files of a generation or script. The caller calls unlock once.
// Error: cancelled.
func (a *Archive) Lock(ctx context.Context, id string) (unlock func(), err error) {
	return a.files.Lock(ctx, id)
}

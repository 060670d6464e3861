package backup

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// Library is a copy of the database.
type Library interface {
	AudioPaths(ctx context.Context) (map[string]string, error) // of generations, by id
	FormerPaths(ctx context.Context) ([]string, error)         // of former versions of generations
	ScriptPaths(ctx context.Context) ([]string, error)         // of joined scripts
	TranscriptPaths(ctx context.Context) (map[string]string, error)
	SampleIDs(ctx context.Context) (map[string][]string, error) // of cloned profiles
	BookCovers(ctx context.Context) (map[string]string, error)  // the names of the files, by book
	Close() error
}

// Service makes backups of a data directory while the program uses it.
type Service struct {
	Data    string                                                  // the data directory
	Temp    string                                                  // for copies, on the same disk
	Copy    func(ctx context.Context, path string) error            // writes a consistent copy of the database
	Open    func(ctx context.Context, path string) (Library, error) // opens such a copy
	Version string                                                  // of the program
	Now     func() time.Time
}

// Snapshot is one state of a library, which later changes do not affect. Close removes its files.
type Snapshot struct {
	dir      string // the copy of the database, and links to the audio
	sources  map[string]string
	manifest Manifest
}

// Choice is what a backup has besides the library.
type Choice struct {
	VoicePrints bool `query:"voice_prints" doc:"with the voice prints of known speakers, which no backup has otherwise"`
}

// maxCopies is how often the library is copied at most because audio was replaced meanwhile.
const maxCopies = 5

// Prepare copies the database and links its audio, so that both match. When a file is missing, the library may have changed since
// the copy, so it is copied again until the same files are missing twice.
func (s *Service) Prepare(ctx context.Context, c Choice) (_ *Snapshot, err error) {
	dir, err := os.MkdirTemp(s.Temp, "backup-*")
	if err != nil {
		return nil, backend.FileError("make the folder of the backup", "the data directory", err)
	}
	snap := &Snapshot{dir: dir}
	defer func() {
		if err != nil {
			_ = snap.Close()
		}
	}()
	var before []string
	for i := range maxCopies {
		if err := s.copyState(ctx, snap); err != nil {
			return nil, err
		}
		missing := snap.manifest.Missing
		if len(missing) == 0 || i > 0 && slices.Equal(missing, before) {
			break
		}
		before = missing
	}
	if c.VoicePrints {
		return snap, s.holdAll(snap, printsName)
	}
	return snap, nil
}

// copyState copies the current state into the snapshot.
func (s *Service) copyState(ctx context.Context, snap *Snapshot) error {
	snap.manifest = Manifest{Format: format, Version: version, AppVersion: s.Version, CreatedAt: s.Now().UTC(), Missing: []string{}}
	snap.sources = map[string]string{}
	database := filepath.Join(snap.dir, databaseName)
	if err := s.Copy(ctx, database); err != nil {
		return err
	}
	audio, takes, err := s.audio(ctx, database)
	if err != nil {
		return err
	}
	snap.sources[databaseName] = database
	if err := snap.hold(modelsName, filepath.Join(s.Data, modelsName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return backend.FileError("read the list of models", "the data directory", err)
	}
	for _, file := range audio {
		name, ok := audioEntry(file)
		if ok {
			err = snap.hold(name, file)
		}
		if !ok || errors.Is(err, fs.ErrNotExist) {
			snap.manifest.Missing = append(snap.manifest.Missing, filepath.Base(file))
		} else if err != nil {
			return backend.FileError("read the audio", "the data directory", err)
		}
	}
	return s.holdTakes(snap, takes)
}

// audio returns the audio files in a copy of the database, and the generations, which may have takes.
func (s *Service) audio(ctx context.Context, database string) (files, ids []string, err error) {
	library, err := s.Open(ctx, database)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, library.Close()) }()
	generations, err := library.AudioPaths(ctx)
	if err != nil {
		return nil, nil, err
	}
	former, err := library.FormerPaths(ctx)
	if err != nil {
		return nil, nil, err
	}
	scripts, err := library.ScriptPaths(ctx)
	if err != nil {
		return nil, nil, err
	}
	transcripts, err := library.TranscriptPaths(ctx)
	if err != nil {
		return nil, nil, err
	}
	samples, err := library.SampleIDs(ctx)
	if err != nil {
		return nil, nil, err
	}
	covers, err := library.BookCovers(ctx)
	if err != nil {
		return nil, nil, err
	}
	files = slices.Concat(slices.Sorted(maps.Values(generations)), former, scripts,
		slices.Sorted(maps.Values(transcripts)), s.samples(samples), s.covers(covers))
	return files, slices.Sorted(maps.Keys(generations)), nil
}

// samples returns the audio files of samples, whose ids are listed by profile. What models computed from them is computed again.
func (s *Service) samples(ids map[string][]string) (files []string) {
	for _, profile := range slices.Sorted(maps.Keys(ids)) {
		for _, id := range ids[profile] {
			files = append(files, filepath.Join(s.Data, voicesName, profile, id+".wav"))
		}
	}
	return files
}

// covers returns the files of the covers of books, whose names are listed by book.
func (s *Service) covers(names map[string]string) (files []string) {
	for _, id := range slices.Sorted(maps.Keys(names)) {
		files = append(files, filepath.Join(s.Data, booksName, id, names[id]))
	}
	return files
}

// holdTakes adds the takes of generations. A take that is removed meanwhile belongs to a removed file.
func (s *Service) holdTakes(snap *Snapshot, ids []string) error {
	for _, id := range ids {
		if err := s.holdAll(snap, path.Join(audioName, takesName, id)); err != nil {
			return err
		}
	}
	return nil
}

// holdAll adds the files of a folder of the data directory, by its name in a backup; it need not exist.
func (s *Service) holdAll(snap *Snapshot, folder string) error {
	dir := filepath.Join(s.Data, filepath.FromSlash(folder))
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return backend.FileError("read the files of the backup", "the data directory", err)
	}
	for _, e := range entries {
		name := path.Join(folder, e.Name())
		if !e.Type().IsRegular() || !allowed(name) {
			continue
		}
		if err := snap.hold(name, filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return backend.FileError("read the files of the backup", "the data directory", err)
		}
	}
	return nil
}

// hold links a file into the snapshot, so that it stays readable when the library removes it. Where links are impossible, the file
// itself is read later.
func (s *Snapshot) hold(name, file string) error {
	info, err := os.Lstat(file)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fs.ErrNotExist
	}
	link := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		return err
	}
	s.sources[name] = link
	err = os.Link(file, link)
	switch {
	case err == nil, errors.Is(err, fs.ErrExist): // linked by an earlier copy
	case errors.Is(err, fs.ErrNotExist):
		delete(s.sources, name)
		return err
	default:
		s.sources[name] = file
	}
	return nil
}

// Name returns the suggested file name of the backup.
func (s *Snapshot) Name() string {
	return "voicewright " + s.manifest.CreatedAt.Local().Format("2006-01-02") + ".zip"
}

// SizeHeader is the response header in which the API sends the size of a backup's files in bytes, for a progress bar.
const SizeHeader = "X-Backup-Bytes"

// Size returns how many bytes the files of the snapshot have.
func (s *Snapshot) Size() int64 {
	var sum int64
	for _, file := range s.sources {
		if info, err := os.Stat(file); err == nil {
			sum += info.Size()
		}
	}
	return sum
}

// WriteTo writes the backup as a zip file. The manifest comes last, so that an incomplete file is not a backup.
func (s *Snapshot) WriteTo(ctx context.Context, w io.Writer) error {
	out := zip.NewWriter(w)
	for _, name := range slices.Sorted(maps.Keys(s.sources)) {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		f, err := s.add(out, name)
		if err != nil {
			return fmt.Errorf("write the backup: %w", err)
		}
		s.manifest.Files = append(s.manifest.Files, f)
	}
	manifest, err := out.CreateHeader(&zip.FileHeader{Name: manifestName, Method: zip.Deflate, Modified: s.manifest.CreatedAt})
	if err != nil {
		return fmt.Errorf("write the backup: %w", err)
	}
	enc := json.NewEncoder(manifest)
	enc.SetIndent("", " ")
	if err := errors.Join(enc.Encode(s.manifest), out.Close()); err != nil {
		return fmt.Errorf("write the backup: %w", err)
	}
	return nil
}

func (s *Snapshot) add(out *zip.Writer, name string) (File, error) {
	in, err := os.Open(s.sources[name])
	if err != nil {
		return File{}, err
	}
	defer func() { _ = in.Close() }()
	method := zip.Store // audio hardly gets smaller
	if path.Dir(name) == "." {
		method = zip.Deflate
	}
	w, err := out.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: s.manifest.CreatedAt})
	if err != nil {
		return File{}, err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, sum), in)
	return File{name, n, hex.EncodeToString(sum.Sum(nil))}, err
}

// Close removes the snapshot's files. A second call does nothing.
func (s *Snapshot) Close() error { return files.RemoveAll(s.dir) }

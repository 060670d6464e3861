package backup

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// maxManifest limits the manifest of a backup, in bytes; a million files need less.
const maxManifest = 256 << 20

// Archive is an open backup file with a valid manifest. The caller closes it.
type Archive struct {
	Manifest Manifest
	zip      *zip.ReadCloser
	files    map[string]*zip.File
}

// OpenArchive opens a backup file and checks its manifest; extract checks the content of the files.
// Errors: unsupported_media, database_newer, not_found.
func OpenArchive(file string) (*Archive, error) {
	info, err := os.Stat(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, backend.E(backend.CodeNotFound, "There is no file "+file+".", "Check its name and folder.").WithCause(err)
	}
	if err != nil {
		return nil, backend.FileError("open the backup", file, err)
	}
	if !info.Mode().IsRegular() {
		return nil, Damaged("it is a folder or a device", nil)
	}
	in, err := zip.OpenReader(file)
	if backend.InUse(err) {
		return nil, backend.FileError("open the backup", file, err)
	}
	if err != nil {
		return nil, Damaged("it is not a zip file, or its end is missing", err)
	}
	a := &Archive{zip: in, files: map[string]*zip.File{}}
	if err := a.read(); err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return a, nil
}

func (a *Archive) read() error {
	for _, f := range a.zip.File {
		if _, duplicate := a.files[f.Name]; duplicate || !f.Mode().IsRegular() {
			return Damaged("it holds a file that is not part of a library", nil)
		}
		a.files[f.Name] = f
	}
	list, ok := a.files[manifestName]
	if !ok {
		return Damaged("its list of files is missing", nil)
	}
	in, err := list.Open()
	if err != nil {
		return Damaged("its list of files is damaged", err)
	}
	defer func() { _ = in.Close() }()
	raw, err := io.ReadAll(io.LimitReader(in, maxManifest))
	if err != nil {
		return Damaged("its list of files is damaged", err)
	}
	if err := json.Unmarshal(raw, &a.Manifest); err != nil {
		return Damaged("its list of files is damaged", err)
	}
	if err := a.Manifest.check(); err != nil {
		return err
	}
	for _, f := range a.Manifest.Files {
		if entry, ok := a.files[f.Path]; !ok || entry.UncompressedSize64 != uint64(f.Bytes) {
			return Damaged("a file of its list is missing", nil)
		}
	}
	if len(a.files) != len(a.Manifest.Files)+1 {
		return Damaged("it holds a file that is not part of a library", nil)
	}
	return nil
}

// Size returns how many bytes the files of the backup have.
func (a *Archive) Size() int64 {
	var sum int64
	for _, f := range a.Manifest.Files {
		sum += f.Bytes
	}
	return sum
}

// Need returns how many bytes a restore writes: the database three times, as its rows are copied through a log of their size.
func (a *Archive) Need() int64 {
	need := a.Size()
	for _, f := range a.Manifest.Files {
		if f.Path == databaseName && f.Bytes <= (math.MaxInt64-need)/2 {
			need += 2 * f.Bytes
		}
	}
	return need
}

// Close closes the file.
func (a *Archive) Close() error { return a.zip.Close() }

// extract writes the files below dir, which must not exist, and compares each with the manifest. progress is called with the
// bytes written so far.
func (a *Archive) extract(ctx context.Context, dir string, progress func(done int64)) error {
	var done int64
	for _, f := range a.Manifest.Files {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		to := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return backend.FileError("write the library", "the data directory", err)
		}
		if err := a.extractFile(ctx, f, to); err != nil {
			return err
		}
		done += f.Bytes
		progress(done)
	}
	return nil
}

func (a *Archive) extractFile(ctx context.Context, f File, to string) error {
	in, err := a.files[f.Path].Open()
	if err != nil {
		return Damaged("a file in it is damaged", err)
	}
	defer func() { _ = in.Close() }()
	source := &reader{r: io.LimitReader(in, f.Bytes+1)}
	n, sum, err := files.Create(ctx, to, 0o600, source)
	switch {
	case source.err != nil:
		return Damaged("a file in it is damaged", source.err)
	case err != nil:
		return backend.FileError("write the library", "the data directory", err)
	case n != f.Bytes || sum != f.SHA256:
		return Damaged("a file in it is damaged", nil)
	}
	return nil
}

// reader stores the error of its source, as opposed to one of the disk.
type reader struct {
	r   io.Reader
	err error
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		r.err = err
	}
	return n, err
}

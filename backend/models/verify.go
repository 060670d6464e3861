package models

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// Verify reads every byte of a model and compares the hashes. A corrupt file is quarantined, which makes the model broken; the
// next download replaces it. A model in memory keeps working, with the error in its status until the next check, download or
// delete, and is broken once it is unloaded. A model that is deleted meanwhile is not_downloaded.
// Errors: model_unknown, model_not_downloaded, cancelled.
func (m *checker) Verify(ctx context.Context, name string) (backend.ModelVerified, error) {
	if err := m.acquireFiles(ctx); err != nil {
		return backend.ModelVerified{}, err
	}
	defer m.releaseFiles()
	for {
		m.refresh()
		m.mu.Lock()
		md, err := m.verifiable(name)
		version := 0
		if err == nil {
			version = md.version
		}
		m.unlock()
		if err != nil {
			return backend.ModelVerified{}, err
		}
		n, wrong := m.check(ctx, md)
		if unknown(wrong) {
			return backend.ModelVerified{}, wrong
		}
		m.mu.Lock()
		now, err := m.verifiable(name)
		if err != nil || now == md && md.version == version {
			defer m.unlock()
			if err != nil {
				return backend.ModelVerified{}, err
			}
			return m.applyVerified(md, n, wrong), nil
		}
		m.unlock() // files changed meanwhile: check again
	}
}

// verifiable returns a model that has files to check; mu is held.
func (m *checker) verifiable(name string) (*model, error) {
	md, err := m.find(name)
	if err == nil && (md.removing || !md.state.OnDisk() && md.state != backend.ModelBroken) {
		err = errNotDownloaded(md)
	}
	return md, err
}

// applyVerified applies the result of a check; mu is held.
func (m *checker) applyVerified(md *model, bytes int64, wrong error) backend.ModelVerified {
	out := backend.ModelVerified{ModelName: md.entry.Name, Files: len(md.variant.Files)}
	if wrong == nil {
		out.OK, out.Bytes = true, bytes
		if p, here := m.locate(md); here && md.state == backend.ModelBroken {
			m.markDownloaded(md, p)
		} else if md.state.OnDisk() && md.isCorrupt() {
			md.failure = nil
			m.changed(md.entry.Name)
		}
		return out
	}
	out.Error = backend.FailureOf(wrong)
	m.markCorrupt(md, out.Error)
	m.checkShared(md)
	return out
}

// unknown reports whether a check ended without a result: it was cancelled, or another program has a file open.
func unknown(err error) bool {
	return backend.CodeOf(err) == backend.CodeCancelled || backend.InUse(err)
}

// check reads every byte of a model and compares the hashes, also of changed files, so that each corrupt one is quarantined; the
// caller uses the directory. It returns the number of bytes.
// Errors: model_corrupt naming the file, not_permitted when another program has one open, cancelled.
func (m *states) check(ctx context.Context, md *model) (int64, error) {
	if imported(md.variant) {
		if err := m.checkImported(ctx, m.folder(md.entry.Name), md.variant, func(int) {}); err != nil {
			return 0, err
		}
		return md.variant.Bytes(), nil
	}
	p, ok := m.locate(md)
	var wrong error
	for _, s := range append(p.missing, p.groups...) {
		err := m.o.Hub.Cache().Verify(ctx, s, nil)
		if unknown(err) {
			return 0, err
		}
		if wrong == nil {
			wrong = err
		}
	}
	switch file := p.wrong; {
	case wrong != nil && !errors.Is(wrong, fs.ErrNotExist):
		file, _ = backend.AsError(wrong).Params["file"].(string)
		return 0, errCorrupt(fmt.Sprintf("The file %s of %s is corrupt.", file, md.entry.Name), wrong).With("file", file)
	case !ok, wrong != nil:
		return 0, errChanged(md, file)
	default:
		return p.bytes, nil
	}
}

// errChanged returns model_corrupt for a missing or changed file.
func errChanged(md *model, file string) *backend.Error {
	return errCorrupt(fmt.Sprintf("The file %s of %s is missing or was changed.", file, md.entry.Name), nil).With("file", file)
}

// errCorrupt returns model_corrupt.
func errCorrupt(detail string, cause error) *backend.Error {
	return backend.E(backend.CodeModelCorrupt, detail, "Download or import the model again.").WithCause(cause)
}

// errOtherContent is the cause of an error about a file that was read and has another hash than it should.
var errOtherContent = errors.New("the hash is another one")

// verify compares a file with its registry entry. Errors: model_corrupt with the file, because of errOtherContent where it was
// read; cancelled.
func verify(ctx context.Context, path string, want registry.File) error {
	broken := func(what string, cause error) error {
		return backend.E(backend.CodeModelCorrupt, fmt.Sprintf("The model file %s %s.", filepath.Base(path), what),
			"Import the model again from its original folder.").With("file", want.Path).WithCause(cause)
	}
	info, err := os.Stat(path)
	if err != nil {
		return broken("is missing", err)
	}
	if info.Size() != want.Bytes || !info.Mode().IsRegular() {
		return broken(fmt.Sprintf("has %d bytes instead of %d", info.Size(), want.Bytes), nil)
	}
	sum, err := files.SHA256(ctx, path)
	switch {
	case backend.CodeOf(err) == backend.CodeCancelled:
		return err
	case err != nil:
		return broken("cannot be read", err)
	case sum != want.SHA256:
		return broken("was changed since it was imported", errOtherContent)
	}
	return nil
}

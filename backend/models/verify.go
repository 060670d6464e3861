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

// Verify reads every byte of a model and compares it with its hashes. A file that is not right is put into quarantine and
// makes the model broken, and the next download fetches it again. A model in memory goes on, with the error in its status,
// and is broken when it is unloaded; the error goes with the next check, download or delete. A model that is deleted
// meanwhile is not downloaded, whatever was read of it.
// Errors: model_unknown, model_not_downloaded, cancelled.
func (m *Manager) Verify(ctx context.Context, name string) (backend.ModelVerified, error) {
	if err := m.useFiles(ctx); err != nil {
		return backend.ModelVerified{}, err
	}
	defer m.leaveFiles()
	for {
		m.refresh()
		m.mu.Lock()
		md, err := m.verifiable(name)
		turn := 0
		if err == nil {
			turn = md.turn
		}
		m.unlock()
		if err != nil {
			return backend.ModelVerified{}, err
		}
		n, wrong := m.check(ctx, md)
		if backend.CodeOf(wrong) == backend.CodeCancelled {
			return backend.ModelVerified{}, wrong
		}
		m.mu.Lock()
		now, err := m.verifiable(name)
		if err != nil || now == md && md.turn == turn {
			defer m.unlock()
			if err != nil {
				return backend.ModelVerified{}, err
			}
			return m.judge(md, n, wrong), nil
		}
		m.unlock() // files came meanwhile: what was read is not what is here
	}
}

// verifiable gives a model of which there is something to check; mu is held.
func (m *Manager) verifiable(name string) (*model, error) {
	md, err := m.find(name)
	if err == nil && (md.removing || !md.state.OnDisk() && md.state != backend.ModelBroken) {
		err = notDownloaded(md)
	}
	return md, err
}

// judge takes over what a check found; mu is held.
func (m *Manager) judge(md *model, bytes int64, wrong error) backend.ModelVerified {
	out := backend.ModelVerified{ModelName: md.entry.Name, Files: len(md.variant.Files)}
	if wrong == nil {
		out.OK, out.Bytes = true, bytes
		if p, here := m.locate(md); here && md.state == backend.ModelBroken {
			m.arrive(md, p)
		} else if md.state.OnDisk() && md.doubted() {
			md.failure = nil
			m.changed(md.entry.Name)
		}
		return out
	}
	out.Error = failureOf(wrong)
	m.doubt(md, out.Error)
	m.lost(md)
	return out
}

// check reads every byte of a model and compares it with its hashes, also of files that were changed, so that each wrong one
// goes into quarantine; the directory is in use. It gives the bytes read.
// Errors: model_corrupt naming the file, cancelled.
func (m *Manager) check(ctx context.Context, md *model) (int64, error) {
	if imported(md.variant) {
		for _, f := range md.variant.Files {
			if err := verify(ctx, filepath.Join(m.folder(md.entry.Name), filepath.FromSlash(f.Path)), f); err != nil {
				return 0, err
			}
		}
		return md.variant.Bytes(), nil
	}
	p, ok := m.locate(md)
	var wrong error
	for _, s := range append(p.missing, p.groups...) {
		err := m.o.Hub.Cache().Verify(ctx, s, nil)
		if backend.CodeOf(err) == backend.CodeCancelled {
			return 0, err
		}
		if wrong == nil {
			wrong = err
		}
	}
	switch file := p.wrong; {
	case wrong != nil && !errors.Is(wrong, fs.ErrNotExist):
		file, _ = backend.AsError(wrong).Params["file"].(string)
		return 0, corrupt(fmt.Sprintf("The file %s of %s is not what it should be.", file, md.entry.Name), wrong).With("file", file)
	case !ok, wrong != nil:
		return 0, changed(md, file)
	default:
		return p.bytes, nil
	}
}

// changed says which file of a model cannot be trusted any more.
func changed(md *model, file string) *backend.Error {
	return corrupt(fmt.Sprintf("The file %s of %s is missing or was changed.", file, md.entry.Name), nil).With("file", file)
}

func corrupt(detail string, cause error) *backend.Error {
	return backend.E(backend.CodeModelCorrupt, detail, "Download or import the model again.").WithCause(cause)
}

// verify compares a file with its registry entry. Errors: model_corrupt naming the file, cancelled.
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
		return broken("was changed since it was imported", nil)
	}
	return nil
}

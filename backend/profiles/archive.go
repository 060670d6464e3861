package profiles

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/voicewright/voicewright/backend"
)

// An exported profile is a zip file with profile.json in it.
const (
	archiveEntry    = "profile.json"
	archiveVersion  = 1
	maxArchiveEntry = 1 << 20 // bytes of profile.json
)

type archive struct {
	Version int             `json:"version"`
	Profile backend.Profile `json:"profile"`
}

// Export writes a profile as a zip file that Import reads. Errors: profile_not_found.
func (s *Service) Export(ctx context.Context, id string, w io.Writer) (backend.Profile, error) {
	p, err := s.o.Store.Profile(ctx, id)
	if err != nil {
		return p, err
	}
	out := zip.NewWriter(w)
	entry, err := out.Create(archiveEntry)
	if err != nil {
		return p, fmt.Errorf("write the profile: %w", err)
	}
	enc := json.NewEncoder(entry)
	enc.SetIndent("", "  ")
	if err := errors.Join(enc.Encode(archive{archiveVersion, p}), out.Close()); err != nil {
		return p, fmt.Errorf("write the profile: %w", err)
	}
	return p, nil
}

// Import creates a profile from an exported file, with a number after its name when the name is taken.
// Errors: unsupported_media, ValidationError.
func (s *Service) Import(ctx context.Context, file []byte) (backend.Profile, error) {
	p, err := readArchive(file)
	if err != nil {
		return p, err
	}
	p.Usable, p.Reason = true, ""
	if err := check(&p); err != nil { // the model of a preset may be installed later
		return p, err
	}
	if p.Name, err = s.freeName(ctx, p.Name); err != nil {
		return p, err
	}
	p, err = s.o.Store.Create(ctx, asNew(p))
	if err == nil {
		s.o.Changed()
	}
	return p, err
}

func readArchive(file []byte) (backend.Profile, error) {
	bad := func(what string, err error) (backend.Profile, error) {
		return backend.Profile{}, backend.E(backend.CodeUnsupportedMedia, "This is not an exported voice profile: "+what+".",
			"Choose a zip file that was exported from a profile.").WithCause(err)
	}
	in, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return bad("it is not a zip file", err)
	}
	entry, err := in.Open(archiveEntry)
	if err != nil {
		return bad("it has no "+archiveEntry, err)
	}
	defer func() { _ = entry.Close() }()
	raw, err := io.ReadAll(io.LimitReader(entry, maxArchiveEntry+1))
	if err != nil {
		return bad("it is corrupt", err)
	}
	var a archive
	if err := json.Unmarshal(raw, &a); err != nil || len(raw) > maxArchiveEntry {
		return bad(archiveEntry+" is invalid", err)
	}
	if a.Version != archiveVersion {
		return bad(fmt.Sprintf("its version %d is unknown", a.Version), nil)
	}
	return a.Profile, nil
}

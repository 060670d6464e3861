package profiles

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/files"
)

// An exported profile is a zip file with profile.json in it, and its samples below samples/.
const (
	archiveEntry    = "profile.json"
	archiveSamples  = "samples"
	archiveVersion  = 1 // without samples, which older programs read
	samplesVersion  = 2
	maxArchiveEntry = 1 << 20  // bytes of profile.json
	maxArchiveFile  = 32 << 20 // bytes of one sample
	maxArchiveIndex = 1 << 20  // bytes that are read to find the entries
)

type archive struct {
	Version int              `json:"version"`
	Profile backend.Profile  `json:"profile"`
	Samples []archivedSample `json:"samples,omitempty"`
}

type archivedSample struct {
	File       string `json:"file"` // its entry in the zip file
	Name       string `json:"name"`
	Transcript string `json:"transcript"`
}

// archives are profiles as files, for another machine.
type archives struct {
	o         *Options
	folders   *folders
	recorder  *recorder
	samples   *sampleStore
	validator *validator
}

// ExportSize returns about how many bytes the exported file of a profile has. Error: profile_not_found.
func (s *archives) ExportSize(ctx context.Context, id string) (backend.Profile, int64, error) {
	p, err := s.o.Store.Profile(ctx, id)
	if err != nil {
		return p, 0, err
	}
	list, err := s.o.Store.Samples(ctx, id)
	var size int64
	for _, sample := range list {
		if info, err := os.Stat(s.folders.file(id, sample.ID)); err == nil {
			size += info.Size()
		}
	}
	return p, size, err
}

// Export writes a profile with its samples as a zip file that Import reads. Errors: profile_not_found, sample_not_found where the
// audio of a sample is missing.
func (s *archives) Export(ctx context.Context, id string, w io.Writer) error {
	p, err := s.o.Store.Profile(ctx, id)
	if err != nil {
		return err
	}
	list, err := s.o.Store.Samples(ctx, id)
	if err != nil {
		return err
	}
	a := archive{Version: archiveVersion, Profile: p}
	for i, sample := range list {
		a.Version = samplesVersion
		a.Samples = append(a.Samples, archivedSample{
			File: path.Join(archiveSamples, fmt.Sprintf("%d%s", i+1, sampleExt)), Name: sample.Name, Transcript: sample.Transcript,
		})
	}
	out := zip.NewWriter(w)
	entry, err := out.CreateHeader(&zip.FileHeader{Name: archiveEntry, Method: zip.Deflate, Modified: p.UpdatedAt.Local()})
	if err != nil {
		return fmt.Errorf("write the profile: %w", err)
	}
	enc := json.NewEncoder(entry)
	enc.SetIndent("", "  ")
	if err := enc.Encode(a); err != nil {
		return fmt.Errorf("write the profile: %w", err)
	}
	for i, sample := range list {
		if err := s.exportSample(ctx, out, a.Samples[i].File, sample); err != nil {
			return err
		}
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("write the profile: %w", err)
	}
	return nil
}

func (s *archives) exportSample(ctx context.Context, out *zip.Writer, name string, sample backend.Sample) error {
	entry, err := out.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: sample.CreatedAt.Local()})
	if err != nil {
		return fmt.Errorf("write a sample: %w", err)
	}
	_, err = files.Read(ctx, s.folders.file(sample.ProfileID, sample.ID), entry)
	if errors.Is(err, os.ErrNotExist) {
		return errAudioMissing(sample, err)
	}
	if err != nil {
		return fmt.Errorf("write a sample: %w", err)
	}
	return nil
}

// ImportRequest is an exported file, and the consent to clone the voice in it.
type ImportRequest struct {
	File    io.ReaderAt
	Size    int64
	Consent backend.ConsentKind // needed for a profile with samples
	By      string
}

// Import creates a profile from an exported file, with a number after its name when the name is taken. Its samples are checked as
// uploads are. Errors: unsupported_media, ValidationError, sample_rejected, hosted_model_unknown.
func (s *archives) Import(ctx context.Context, r ImportRequest) (backend.Profile, error) {
	in, err := openArchive(r)
	if err != nil {
		return backend.Profile{}, err
	}
	a, err := readArchive(in)
	if err != nil {
		return backend.Profile{}, err
	}
	p := asNew(a.Profile)
	p.Usable, p.Reason = true, ""
	if len(a.Samples) > 0 {
		p.VoiceType, p.PresetEngine, p.PresetVoiceID = backend.VoiceCloned, "", ""
	}
	if err := check(&p); err != nil { // the model of a preset may be installed later
		return p, err
	}
	if err := s.validator.completeHosted(ctx, &p); err != nil {
		return p, err
	}
	if p.Name, err = s.validator.freeName(ctx, p.Name); err != nil {
		return p, err
	}
	if len(a.Samples) > 0 {
		return s.importSamples(ctx, r, in, p, a.Samples)
	}
	p, err = s.o.Store.Create(ctx, p)
	if err == nil {
		s.o.Changed()
	}
	return p, err
}

// importSamples creates a profile with the samples of an exported file.
func (s *archives) importSamples(
	ctx context.Context, r ImportRequest, in *zip.Reader, p backend.Profile, archived []archivedSample,
) (backend.Profile, error) {
	consent, err := s.samples.NewConsent(r.Consent, r.By)
	if err != nil {
		return p, err
	}
	if err := os.MkdirAll(s.o.Dir, 0o700); err != nil {
		return p, storeError(err)
	}
	dir, err := os.MkdirTemp(s.o.Dir, "import-*") // the next start removes what a killed process left
	if err != nil {
		return p, storeError(err)
	}
	defer func() { s.folders.warn(files.RemoveAll(dir)) }()
	list := make([]backend.Sample, len(archived))
	sounds := make([]audio.Buffer, len(archived))
	for i, one := range archived {
		if err := checkTranscript(one.Transcript); err != nil {
			return p, err
		}
		file := filepath.Join(dir, "sample"+sampleExt)
		if err := unpack(ctx, in, one.File, file); err != nil {
			return p, err
		}
		list[i], sounds[i], err = s.importSample(ctx, file, one, p.Language)
		if err := errors.Join(err, os.Remove(file)); err != nil {
			return p, fmt.Errorf("import %s: %w", one.File, err)
		}
	}
	return s.samples.createCloned(ctx, p, list, sounds, consent)
}

// sameLength is how many seconds may be cut off at the ends of a sample that was trimmed before.
const sameLength = 0.5

// importSample checks the audio of an exported sample. It is not trimmed again, so that a copy sounds the same.
func (s *archives) importSample(
	ctx context.Context, file string, one archivedSample, language string,
) (backend.Sample, audio.Buffer, error) {
	n := NewSample{Source: Source{Path: file, Name: one.Name}, Transcript: one.Transcript}
	sample, report, err := s.recorder.analyse(ctx, n, language)
	if err != nil || report.Duration-report.Seconds > sameLength {
		return sample, report.Audio, err
	}
	sound, _, err := s.o.Codecs.DecodeStart(ctx, file, longestRecording)
	if err != nil || sound.Channels != 1 || sound.Rate != report.SampleRate {
		return sample, report.Audio, err
	}
	sample.Seconds = sound.Duration().Seconds()
	return sample, sound, nil
}

// unpack writes an entry of an exported file to disk. Errors: unsupported_media, cancelled.
func unpack(ctx context.Context, in *zip.Reader, name, to string) error {
	entry, err := in.Open(name)
	if err != nil {
		return errNotExported("a sample is missing", err)
	}
	defer func() { _ = entry.Close() }()
	n, _, err := files.Create(ctx, to, 0o600, io.LimitReader(sampleEntry{entry}, maxArchiveFile+1))
	if err == nil && n > maxArchiveFile {
		return errNotExported("a sample is too large", nil)
	}
	return backend.FileError("unpack a sample", "the data directory", err)
}

// sampleEntry reads an entry of an exported file. Error: unsupported_media.
type sampleEntry struct{ r io.Reader }

// Read implements io.Reader.
func (e sampleEntry) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = errNotExported("a sample is corrupt", err)
	}
	return n, err
}

func errNotExported(what string, err error) error {
	return backend.E(backend.CodeUnsupportedMedia, "This is not an exported voice profile: "+what+".",
		"Choose a zip file that was exported from a profile.").WithCause(err)
}

// openArchive returns the entries of an exported file. Error: unsupported_media.
func openArchive(r ImportRequest) (*zip.Reader, error) {
	index := &limitedReaderAt{r: r.File, left: maxArchiveIndex}
	in, err := zip.NewReader(index, r.Size)
	if err != nil {
		return nil, errNotExported("it is not a zip file", err)
	}
	index.left = -1
	return in, nil
}

// limitedReaderAt reads at most left bytes; negative is any number. A zip file may have millions of entries, which zip.NewReader
// keeps in memory.
type limitedReaderAt struct {
	r    io.ReaderAt
	left int64
}

// ReadAt implements io.ReaderAt.
func (l *limitedReaderAt) ReadAt(p []byte, at int64) (int, error) {
	if l.left >= 0 {
		if l.left -= int64(len(p)); l.left < 0 {
			l.left = 0
			return 0, errors.New("it has too many entries")
		}
	}
	return l.r.ReadAt(p, at)
}

func readArchive(in *zip.Reader) (archive, error) {
	var a archive
	entry, err := in.Open(archiveEntry)
	if err != nil {
		return a, errNotExported("it has no "+archiveEntry, err)
	}
	defer func() { _ = entry.Close() }()
	raw, err := io.ReadAll(io.LimitReader(entry, maxArchiveEntry+1))
	if err != nil {
		return a, errNotExported("it is corrupt", err)
	}
	err = json.Unmarshal(raw, &a)
	if a.Version > samplesVersion {
		return a, backend.E(backend.CodeUnsupportedMedia, "This voice profile was exported by a newer version of Voicewright.",
			"Install the current version, then import it.").With("reason", "profile_newer")
	}
	if err != nil || len(raw) > maxArchiveEntry {
		return a, errNotExported(archiveEntry+" is invalid", err)
	}
	switch {
	case a.Version != archiveVersion && a.Version != samplesVersion:
		return a, errNotExported(fmt.Sprintf("its version %d is unknown", a.Version), nil)
	case len(a.Samples) > maxSamples:
		return a, errNotExported(fmt.Sprintf("it has more than %d samples", maxSamples), nil)
	}
	return a, nil
}

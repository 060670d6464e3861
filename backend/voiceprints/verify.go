// Package voiceprints stores the voice prints of the people whom the user wants to be recognised in transcripts, and measures how well
// prints tell people apart, with recordings of the user.
package voiceprints

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/samples"
	"github.com/voicewright/voicewright/engines"
)

const (
	maxRecordings = 200 // of all people: 19,900 pairs
	heard         = 5 * time.Minute
)

// Diarizers has the model that makes voice prints. Error: model_not_downloaded.
type Diarizers interface {
	AcquireDiarizerDownloaded(ctx context.Context) (*engines.LoadedDiarizer, error)
	// DiarizerFiles returns the files of the model, nil where it is not installed.
	DiarizerFiles() []backend.FileHash
}

// Codecs read files of any format. Errors: unsupported_media, runtime_missing.
type Codecs interface {
	// DecodeStart reads at most the first limit of a file.
	DecodeStart(ctx context.Context, path string, limit time.Duration) (sound audio.Buffer, longer bool, err error)
	// StreamMono calls emit with the audio of a file as mono samples at rate Hz.
	StreamMono(ctx context.Context, path string, rate int, emit func(samples []float32) error) error
}

// Transcripts has the transcripts with speakers. Error: transcript_not_found.
type Transcripts interface {
	Transcript(ctx context.Context, id string) (backend.Transcript, error)
}

// Options are what a Service is built from.
type Options struct {
	Diarizers   Diarizers
	Codecs      Codecs
	Store       *Store
	Transcripts Transcripts
	// Consent returns the statement that a voice may be stored. Error: ValidationError.
	Consent func(kind backend.ConsentKind, by string) (backend.Consent, error)
	Changed func(id string) // called after each change of a known speaker
	Now     func() time.Time
	NewID   func() string
}

// Service stores and measures voice prints. It is safe for concurrent use.
type Service struct{ o Options }

// New returns a Service.
func New(o Options) *Service { return &Service{o} }

// recording is a file of a person.
type recording struct {
	person int
	path   string // below the folder
	print  []float32
}

// Verify compares the recordings in a folder, which has a folder for each person, each with each other. Of a recording the first
// 5 minutes are heard; files without audio or without a voice are skipped. Nothing is stored. Errors: ValidationError for the
// folder, model_not_downloaded, runtime_missing, cancelled.
func (s *Service) Verify(ctx context.Context, dir string) (backend.VoiceCheck, error) {
	people, all, err := find(dir)
	if err != nil {
		return backend.VoiceCheck{}, err
	}
	model, err := s.o.Diarizers.AcquireDiarizerDownloaded(ctx)
	if err != nil {
		return backend.VoiceCheck{}, err
	}
	defer model.Release()
	out := backend.VoiceCheck{ModelName: model.Model, People: people, Limit: samples.OtherPerson, Skipped: []string{}}
	var usable []recording
	for _, r := range all {
		var ok bool
		if r.print, ok, err = s.print(ctx, model, filepath.Join(dir, r.path)); err != nil {
			return backend.VoiceCheck{}, err
		}
		if !ok {
			out.Skipped = append(out.Skipped, r.path)
			continue
		}
		usable = append(usable, r)
	}
	out.Recordings = len(usable)
	same, different := pairs(usable)
	if len(same) == 0 || len(different) == 0 {
		return backend.VoiceCheck{}, backend.Invalid("value_error",
			"The folder needs a folder for each of two people or more, and two recordings of one of them", "body", "path")
	}
	measure(&out, same, different)
	return out, nil
}

// find returns the recordings in the folders of a folder, by person.
func find(dir string) (people int, all []recording, err error) {
	folders, err := os.ReadDir(dir)
	if err != nil {
		return 0, nil, backend.Invalid("path_not_exists", "Path does not point to a folder", "body", "path")
	}
	for _, folder := range folders {
		if !folder.IsDir() || hidden(folder) {
			continue
		}
		files, err := os.ReadDir(filepath.Join(dir, folder.Name()))
		if err != nil {
			return 0, nil, backend.FileError("read the recordings", filepath.Join(dir, folder.Name()), err)
		}
		for _, f := range files {
			if f.Type().IsRegular() && !hidden(f) {
				all = append(all, recording{person: people, path: filepath.Join(folder.Name(), f.Name())})
			}
		}
		people++
	}
	if len(all) > maxRecordings {
		return 0, nil, backend.Invalid("too_long", fmt.Sprintf("The folder should have at most %d recordings", maxRecordings), "body", "path")
	}
	return people, all, nil
}

func hidden(f os.DirEntry) bool { return strings.HasPrefix(f.Name(), ".") }

// print returns the voice print of a file; ok is false where it has no audio or no voice.
func (s *Service) print(ctx context.Context, model *engines.LoadedDiarizer, path string) (vector []float32, ok bool, err error) {
	sound, _, err := s.o.Codecs.DecodeStart(ctx, path, heard)
	if backend.CodeOf(err) == backend.CodeUnsupportedMedia {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	mono, err := sound.MonoAt(ctx, engines.TranscriberRate)
	if err != nil {
		return nil, false, err
	}
	return model.Print(ctx, mono.Samples)
}

// pairs returns the cosines of all pairs of recordings of one person, and of two.
func pairs(all []recording) (same, different []float64) {
	for i, a := range all {
		for _, b := range all[:i] {
			cosine := samples.Cosine(a.print, b.print)
			if a.person == b.person {
				same = append(same, cosine)
			} else {
				different = append(different, cosine)
			}
		}
	}
	return same, different
}

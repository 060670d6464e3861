package models

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models/registry"
)

const (
	maxSample  = 1 << 20 // bytes of a published sample; those of Piper have less than 200 kB
	maxSamples = 100     // in the cache; the oldest are removed
)

// Sample is a published sample of a voice.
type Sample struct {
	Path string // in the models directory
	Type string // the content type
}

// Sample returns the sample that the makers of a model publish of one of its voices. It is downloaded once and cached like the
// files of a model, which need not be downloaded.
// Errors: model_unknown, sample_unavailable, offline and others of a download.
func (m *listing) Sample(ctx context.Context, name, voice string) (Sample, error) {
	m.refresh()
	m.mu.Lock()
	md, err := m.find(name)
	m.unlock()
	if err != nil {
		return Sample{}, err
	}
	f, ok := md.entry.Sample(voice)
	if !ok {
		return Sample{}, errNoSample(nil)
	}
	if err := m.acquireFiles(ctx); err != nil {
		return Sample{}, err
	}
	defer m.releaseFiles()
	r := hub.Request{
		Repo: f.Repo, Revision: f.Revision, Files: []hub.File{{Path: f.Path}}, MaxBytes: maxSample, NoListing: true,
	}
	s, ok := m.o.Hub.Cache().Snapshot(r)
	if !ok {
		if s, err = m.o.Hub.Download(ctx, r, nil); isMissingAtHub(err) {
			return Sample{}, errNoSample(err)
		}
		if err != nil {
			return Sample{}, err
		}
		if err := m.o.Hub.Cache().Trim(f.Repo, maxSamples, registry.IsSample); err != nil {
			m.o.Log.Warn("remove old samples of voices", "error", err)
		}
	}
	sample := Sample{Path: s.Path(f.Path)}
	if sample.Type, err = sampleType(sample.Path); err != nil {
		return Sample{}, backend.FileError("read the sample", "the models directory", err)
	}
	if sample.Type == "" {
		return Sample{}, errNoSample(fmt.Errorf("the file %s is not audio", f.Path))
	}
	return sample, nil
}

func errNoSample(cause error) *backend.Error {
	return backend.E(backend.CodeSampleUnavailable, "There is no published sample of this voice.",
		"Download the model to hear the voice.").WithCause(cause)
}

// isMissingAtHub reports whether the hub answered that it does not have a file.
func isMissingAtHub(err error) bool {
	if err == nil {
		return false
	}
	reason := backend.AsError(err).Params["reason"]
	return reason == "gone" || reason == "repository"
}

// sampleType returns the content type of MP3 and WAV by the first bytes of a file, and "" for others.
func sampleType(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 12)
	n, err := io.ReadFull(f, head)
	if err != nil {
		return "", nil // too short for audio, or unreadable
	}
	switch text := string(head[:n]); {
	case text[:3] == "ID3", head[0] == 0xff && head[1]&0xe0 == 0xe0:
		return "audio/mpeg", nil
	case text[:4] == "RIFF" && text[8:] == "WAVE":
		return "audio/wav", nil
	default:
		return "", nil
	}
}

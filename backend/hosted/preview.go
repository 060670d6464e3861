package hosted

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
)

// The limits of the kept previews in bytes.
const (
	maxPreview  = 10 << 20
	maxPreviews = 100 << 20
)

// Preview is a preview of a voice that is kept in a file.
type Preview struct {
	Path string
	Type string // audio/mpeg, audio/wav, ...
}

// Preview returns the preview of a voice, which is downloaded at the first call. Errors: hosted_voice_not_found, not_found for
// a voice without a preview, hosted_bad_answer, those of the download.
func (s *voiceList) Preview(ctx context.Context, id string) (Preview, error) {
	list, _, err := s.catalogue(ctx, false)
	if err != nil {
		return Preview{}, err
	}
	v, ok := list.voice(id)
	switch {
	case !ok:
		return Preview{}, errVoiceNotFound(id)
	case v.PreviewURL == "":
		return Preview{}, backend.E(backend.CodeNotFound, "The hosted service has no preview of this voice.", "Generate a short text with it.")
	}
	path := filepath.Join(s.previewDir(), previewName(v.PreviewURL))
	if p, err := readPreview(path); err == nil {
		now := s.o.Now()
		_ = os.Chtimes(path, now, now) // what was used last is kept longest
		return p, nil
	}
	if err := s.fetchPreview(ctx, v.PreviewURL, path); err != nil {
		return Preview{}, err
	}
	return readPreview(path)
}

func (s *voiceList) previewDir() string { return filepath.Join(s.dir, "previews") }

// previewName returns the name of the file for the preview at an address.
func previewName(link string) string {
	sum := sha256.Sum256([]byte(link))
	return hex.EncodeToString(sum[:])
}

// fetchPreview downloads a preview and removes the oldest ones beyond the limit.
func (s *voiceList) fetchPreview(ctx context.Context, link, path string) error {
	if err := os.MkdirAll(s.previewDir(), 0o700); err != nil {
		return backend.FileError("create the folder of previews", "the data directory", err)
	}
	if _, err := s.o.Client.Fetch(ctx, link, path); err != nil {
		return client.AsError(err)
	}
	if _, err := readPreview(path); err != nil {
		_ = os.Remove(path)
		return backend.E(backend.CodeHostedBadAnswer, "The preview of this voice is not an audio file.",
			"Try again later, or generate a short text with it.").WithCause(err)
	}
	if err := removeOldest(s.previewDir(), maxPreviews, path); err != nil {
		s.o.Log.WarnContext(ctx, "old previews were not removed", "error", err)
	}
	return nil
}

var errNoAudio = errors.New("not audio of a known kind")

// readPreview returns a preview file that is audio of a known kind and not too large.
func readPreview(path string) (Preview, error) {
	f, err := os.Open(path)
	if err != nil {
		return Preview{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Preview{}, err
	}
	head := make([]byte, 16)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return Preview{}, err
	}
	kind := audioType(head[:n])
	if kind == "" || info.Size() > maxPreview {
		return Preview{}, errNoAudio
	}
	return Preview{path, kind}, nil
}

// audioType returns the content type of audio by its first bytes, empty for others.
func audioType(head []byte) string {
	has := func(at int, magic string) bool {
		return len(head) >= at+len(magic) && string(head[at:at+len(magic)]) == magic
	}
	switch {
	case has(0, "ID3"), len(head) > 1 && head[0] == 0xff && head[1]&0xe0 == 0xe0:
		return "audio/mpeg"
	case has(0, "RIFF") && has(8, "WAVE"):
		return "audio/wav"
	case has(0, "OggS"):
		return "audio/ogg"
	case has(0, "fLaC"):
		return "audio/flac"
	case has(4, "ftyp"):
		return "audio/mp4"
	}
	return ""
}

// removeOldest removes the files of a folder that were used longest ago, until the rest has at most limit bytes. keep stays.
func removeOldest(dir string, limit int64, keep string) error {
	type file struct {
		path string
		size int64
		used time.Time
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var all []file
	total := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		total += info.Size()
		all = append(all, file{filepath.Join(dir, e.Name()), info.Size(), info.ModTime()})
	}
	slices.SortFunc(all, func(a, b file) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.path, b.path)) })
	for _, f := range all {
		if total <= limit {
			return nil
		}
		if f.path == keep {
			continue
		}
		if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		total -= f.size
	}
	return nil
}

// PreviewFile returns the path of the preview of a voice; see Preview.
func (s *voiceList) PreviewFile(ctx context.Context, id string) (string, error) {
	p, err := s.Preview(ctx, id)
	return p.Path, err
}

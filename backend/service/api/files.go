package api

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend/service"
)

const (
	previewSuffix = ".mp3"
	slowestReader = 16 << 10 // bytes a second that a download must read
)

// fileName is the shape of the names of generated audio: no other name reaches the store.
var fileName = regexp.MustCompile(`^[A-Za-z0-9_-]{16,128}\.(mp3|pcm)$`)

// audioHandlers send audio.
type audioHandlers struct {
	service Service
	clients *clients
	guesses *throttle // links of files that do not exist
}

// file sends generated audio. Its random name is the credential, so wrong names are limited as wrong credentials are.
func (h *audioHandlers) file(w *response, r *http.Request, _ service.Caller) error {
	name := r.PathValue("name")
	if !fileName.MatchString(name) {
		return h.countGuess(r, errNotFound)
	}
	content, f, err := h.service.OpenFile(r.Context(), name)
	if err != nil {
		if service.StatusOf(err) == http.StatusNotFound {
			err = h.countGuess(r, err)
		}
		return err
	}
	defer content.Close()
	kind := "audio/pcm"
	if strings.HasSuffix(name, ".mp3") {
		kind = "audio/mpeg"
	}
	w.Header().Set("Cache-Control", "private, no-store")
	sendAudio(w, r, kind, f.CreatedAt, f.Bytes, content)
	return nil
}

// preview sends a sample of a voice, of which only the first request has to wait for.
func (h *audioHandlers) preview(w *response, r *http.Request, _ service.Caller) error {
	id, isPreview := strings.CutSuffix(r.PathValue("file"), previewSuffix)
	if !isPreview {
		return errNotFound
	}
	content, size, err := h.service.Preview(r.Context(), id)
	if err != nil {
		return err
	}
	defer content.Close()
	w.Header().Set("Cache-Control", "public, max-age=86400")
	sendAudio(w, r, "audio/mpeg", time.Time{}, size, content)
	return nil
}

// sendAudio sends content, or the range that the request wants, as long as the client reads fast enough.
func sendAudio(w *response, r *http.Request, kind string, modified time.Time, size int64, content io.ReadSeeker) {
	w.timeout += time.Duration(size/slowestReader) * time.Second
	w.Header().Set("Content-Type", kind)
	http.ServeContent(w, r, "", modified, content)
}

// countGuess returns err, or 429 where the client's address has tried too many links that do not exist.
func (h *audioHandlers) countGuess(r *http.Request, err error) error {
	return h.clients.count(h.guesses, r, err, "Too many links that do not exist were tried from this address. Wait a moment.")
}

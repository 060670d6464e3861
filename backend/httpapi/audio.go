package httpapi

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/httpapi/events"
	"github.com/voicewright/voicewright/backend/transcribe"
)

// signatureLife is how long an audio URL is valid (decisions.md section 2, Access).
const signatureLife = time.Hour

// AudioFiles finds the audio of a generation or script. AudioFile returns its absolute path, or an error with a code such as
// generation_not_found or audio_missing.
type AudioFiles interface {
	AudioFile(ctx context.Context, id string) (string, error)
}

var errAudioMissing = backend.E(backend.CodeAudioMissing, "The audio file is missing.", "Regenerate it.")

// audioTypes are the content types of the formats that we write.
var audioTypes = map[string]string{
	".wav": "audio/wav", ".flac": "audio/flac", ".mp3": "audio/mpeg", ".opus": "audio/ogg", ".m4a": "audio/mp4",
}

// Links shows what has audio, with addresses that work for a while without a token.
type Links struct {
	key []byte // which signs the addresses
	now func() time.Time

	known func(id string) (name string, ok bool)
}

// NewLinks returns links with a random key: after a restart their addresses no longer work. known returns the name of a known speaker,
// whose name a transcript may suggest; it may be nil.
func NewLinks(now func() time.Time, known func(id string) (name string, ok bool)) *Links {
	key := make([]byte, sha256.Size)
	_, _ = rand.Read(key) // it never fails
	return &Links{key, now, known}
}

// Views returns what the event streams send: generations and transcripts are short while they are in progress, whole at their end.
func (l *Links) Views() events.Views {
	return events.Views{
		Generation: l.streamed, Transcript: l.streamedTranscript,
		Model:     func(p backend.ModelProgress) any { return ModelProgress(p) },
		Recording: func(r backend.Recording) any { return Recording(r) },
	}
}

// audioURL returns the path of the audio of a generation, script or transcript with a signature that works for one hour without a token.
func (l *Links) audioURL(id string) string { return l.signedURL("/audio/" + id) }

// signedURL returns a path with a signature.
func (l *Links) signedURL(path string) string {
	exp := strconv.FormatInt(l.now().Add(signatureLife).Unix(), 10)
	return path + "?exp=" + exp + "&sig=" + l.signature(path, exp)
}

// signature returns the HMAC-SHA-256 of path and expiry.
func (l *Links) signature(path, exp string) string {
	mac := hmac.New(sha256.New, l.key)
	mac.Write([]byte(path + "\n" + exp))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// signed reports whether u has a valid signature that has not expired.
func (l *Links) signed(u *url.URL) bool {
	q := u.Query()
	exp, err := strconv.ParseInt(q.Get("exp"), 10, 64)
	if err != nil || l.now().Unix() >= exp {
		return false
	}
	want := l.signature(u.Path, q.Get("exp"))
	return hmac.Equal([]byte(q.Get("sig")), []byte(want))
}

// audioHandlers are the routes of stored audio.
type audioHandlers struct {
	*responder
	files          AudioFiles
	transcriptions *transcribe.Service
}

func (h *audioHandlers) routes(r *router) {
	if h.files == nil {
		return
	}
	r.file("/audio/{id}", "audio", "Audio of a generation, a script or a transcript", h.audio, audioFile(),
		queryParam("exp", "when the signature expires, in Unix seconds"), queryParam("sig", "the signature"),
		describe("Accepts the token, or `exp` and `sig` as in `audio_url`. Supports Range and HEAD."))
}

// audio serves the audio of a generation, script or transcript.
func (h *audioHandlers) audio(w http.ResponseWriter, r *http.Request) {
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		h.fail(w, r, backend.Invalid("uuid_parsing", "Input should be a valid UUID", "path", "id"))
		return
	}
	path, err := h.audioPath(r.Context(), id.String())
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.serveAudio(w, r, path)
}

// audioPath returns the file of a generation, script or transcript.
func (h *audioHandlers) audioPath(ctx context.Context, id string) (string, error) {
	path, err := h.files.AudioFile(ctx, id)
	if backend.CodeOf(err) == backend.CodeGenerationNotFound && h.transcriptions != nil {
		path, err = h.transcriptions.AudioFile(ctx, id)
	}
	if code := backend.CodeOf(err); code == backend.CodeGenerationNotFound || code == backend.CodeTranscriptNotFound {
		err = backend.E(backend.CodeGenerationNotFound, "No generation, script or transcript has audio with this id.",
			"It may have been deleted; check the history, the scripts and the transcripts.").With("id", id).WithCause(err)
	}
	return path, err
}

// ServeAudio responds with the file at path and supports Range. Error: audio_missing.
func (p *responder) serveAudio(w http.ResponseWriter, r *http.Request, path string) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		p.fail(w, r, errAudioMissing.WithCause(err))
		return
	}
	if err != nil {
		p.fail(w, r, err)
		return
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		p.fail(w, r, errAudioMissing.WithCause(err))
		return
	}
	ct, ok := audioTypes[strings.ToLower(filepath.Ext(path))]
	if !ok {
		ct = "application/octet-stream"
	}
	w.Header().Set("Content-Type", ct)
	w.Header().Set("Cache-Control", "private")
	p.serveContent(w, r, info.ModTime(), f)
}

// serveContent is http.ServeContent with our body for a range that the file does not have.
func (p *responder) serveContent(w http.ResponseWriter, r *http.Request, at time.Time, f io.ReadSeeker) {
	http.ServeContent(&rangeWriter{ResponseWriter: w, fail: func() {
		w.Header().Del("Content-Length")
		w.Header().Del("X-Content-Type-Options")
		writeJSON(w, http.StatusRequestedRangeNotSatisfiable, newProblem(errRange))
	}}, r, "", at, f)
}

var errRange = backend.E(backend.CodeRange, "The file does not have this range.", "Request a range within its size.")

// rangeWriter replaces the response 416, which http.ServeContent writes as plain text.
type rangeWriter struct {
	http.ResponseWriter
	fail   func()
	failed bool
}

// WriteHeader passes on every status but 416.
func (w *rangeWriter) WriteHeader(status int) {
	if status != http.StatusRequestedRangeNotSatisfiable {
		w.ResponseWriter.WriteHeader(status)
		return
	}
	w.failed = true
	w.fail()
}

// Write discards the plain text of a 416.
func (w *rangeWriter) Write(p []byte) (int, error) {
	if w.failed {
		return len(p), nil
	}
	return w.ResponseWriter.Write(p)
}

// audioFile documents the response of a route that serves audio, or a file of one of these types.
func audioFile(also ...string) option {
	return func(op *huma.Operation) {
		returnsFile(append(also, slices.Collect(maps.Values(audioTypes))...)...)(op)
		op.Responses["206"] = &huma.Response{Description: "The part that Range asked for", Content: op.Responses["200"].Content}
	}
}

package transcribe_test

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/transcribe"
	"github.com/voicewright/voicewright/engines"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	waitLimit = 2 * time.Minute
	rate      = engines.TranscriberRate
)

// lab is a service with fakes around it.
type lab struct {
	t       *testing.T
	dir     string
	options transcribe.Options
	service *transcribe.Service
	store   *memory
	codecs  *codecs
	model   *model
	log     *backendtest.Log

	mu     sync.Mutex
	events []backend.Transcript
}

func newLab(t *testing.T, change ...func(*lab)) *lab {
	l := &lab{t: t, dir: t.TempDir(), store: &memory{rows: map[string]*row{}}, codecs: &codecs{Codecs: audio.FindCodecs()}, log: &backendtest.Log{}}
	l.model = &model{languages: []string{"en", "de", "fr"}, run: says(" Hello there.")}
	var ids atomic.Int64
	l.options = transcribe.Options{
		Dir: filepath.Join(l.dir, "transcripts"), Store: l.store, Models: l.model, Codecs: l.codecs, Detector: &detector{},
		Generations:  generations{},
		DefaultModel: func(string, backend.TranscribeOptions) (string, bool) { return "whisper-base", false }, Retention: func() time.Duration { return -1 },
		Notify: func(tr backend.Transcript) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.events = append(l.events, tr)
		},
		QueueLimit: 4, Now: time.Now, Log: slog.New(slog.NewTextHandler(l.log, nil)),
		NewID: func() string { return fmt.Sprintf("0190-%d", ids.Add(1)) },
	}
	for _, c := range change {
		c(l)
	}
	l.open()
	t.Cleanup(l.close)
	return l
}

func (l *lab) open() {
	var err error
	l.service, err = transcribe.New(l.t.Context(), l.options)
	require.NoError(l.t, err)
}

func (l *lab) close() { require.NoError(l.t, l.service.Close(context.Background())) }

// wav writes samples to a file and returns the request to transcribe it.
func (l *lab) wav(samples []float32) transcribe.Request {
	path := filepath.Join(l.t.TempDir(), "talk.wav")
	f, err := os.Create(path)
	require.NoError(l.t, err)
	w, err := audio.NewWAVWriter(f, rate, 1)
	require.NoError(l.t, err)
	require.NoError(l.t, w.Write(samples))
	require.NoError(l.t, w.Close())
	require.NoError(l.t, f.Close())
	return l.file(path)
}

func (l *lab) file(path string) transcribe.Request {
	return transcribe.Request{Source: backend.TranscriptOfFile, Path: path, FileName: filepath.Base(path), Temporary: true}
}

// becomes waits until a transcript has a state.
func (l *lab) becomes(id string, want backend.Status) backend.Transcript {
	l.t.Helper()
	var t backend.Transcript
	require.Eventually(l.t, func() bool {
		var err error
		t, err = l.service.Transcript(l.t.Context(), id)
		return err == nil && t.Status == want
	}, waitLimit, time.Millisecond)
	return t
}

// files returns the names of all files of the service.
func (l *lab) files() []string {
	l.t.Helper()
	names := []string{}
	require.NoError(l.t, filepath.WalkDir(l.options.Dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, filepath.Base(path))
		}
		return err
	}))
	return names
}

// statuses returns the states that were announced, each once in a row.
func (l *lab) statuses() []backend.Status {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []backend.Status
	for _, e := range l.events {
		out = append(out, e.Status)
	}
	return slices.Compact(out)
}

// sound returns audio that is no silence.
func sound(length time.Duration) []float32 {
	out := make([]float32, int(length.Seconds()*rate))
	for i := range out {
		out[i] = float32(i%100)/200 - 0.25
	}
	return out
}

// silence returns audio of zeros.
func silence(length time.Duration) []float32 { return make([]float32, int(length.Seconds()*rate)) }

// codecs are the real ones; WAV files need no ffmpeg. Opus is a copy where opus is set. Where half is set, a file of that name is left
// beside it, as when ffmpeg is killed.
type codecs struct {
	*audio.Codecs
	opus   bool
	half   string
	stream func(ctx context.Context, emit func([]float32) error) error
}

func (c *codecs) StreamMono(ctx context.Context, path string, rate int, emit func([]float32) error) error {
	if c.stream != nil {
		return c.stream(ctx, emit)
	}
	return c.Codecs.StreamMono(ctx, path, rate, emit)
}

func (c *codecs) StreamMixed(ctx context.Context, path string, rate int, hear audio.Listener, emit func([]float32) error) error {
	if c.stream != nil {
		return c.stream(ctx, emit)
	}
	return c.Codecs.StreamMixed(ctx, path, rate, hear, emit)
}

func (c *codecs) Ready(context.Context, string) error {
	if c.opus {
		return nil
	}
	return backend.E(backend.CodeRuntimeMissing, "There is no ffmpeg.", "Install it.")
}

func (c *codecs) Encode(_ context.Context, from, to, _ string, _ map[string]string) error {
	data, err := os.ReadFile(from)
	if err == nil && c.half != "" {
		err = os.WriteFile(filepath.Join(filepath.Dir(to), c.half), data, 0o600)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}

// detector finds the speech that speech says.
type detector struct {
	speech func(samples []float32) []engines.Span
}

func (d *detector) Speech(_ context.Context, samples []float32) ([]engines.Span, error) {
	if d.speech == nil {
		return nil, nil
	}
	return d.speech(samples), nil
}

type generations map[string]backend.Generation

func (g generations) Generation(_ context.Context, id string) (backend.Generation, error) {
	found, ok := g[id]
	if !ok {
		return found, backend.E(backend.CodeGenerationNotFound, "There is no such generation.", "Choose another.")
	}
	return found, nil
}

type runFunc func(ctx context.Context, samples []float32, o engines.TranscribeOptions, emit func(backend.Segment) error) (string, error)

// says returns a run that hears each text in a second of its own.
func says(texts ...string) runFunc {
	return func(_ context.Context, _ []float32, o engines.TranscribeOptions, emit func(backend.Segment) error) (string, error) {
		for i, text := range texts {
			if err := emit(backend.Segment{Start: float64(i), End: float64(i + 1), Text: text}); err != nil {
				return "", err
			}
		}
		if o.Progress != nil {
			o.Progress(1)
		}
		return "en", nil
	}
}

// model is the only model, and its engine.
type model struct {
	languages []string
	mu        sync.Mutex
	run       runFunc
	acquire   func(ctx context.Context, phase func(backend.Status)) error
	lengths   []int // of the audio of each run
	given     []engines.TranscribeOptions
	missing   map[string]bool // models that would have to be downloaded
}

func (m *model) Model(name string) (engines.Model, error) {
	switch name {
	case "whisper-base":
		return engines.Model{Name: name, DisplayName: "Whisper base", Languages: m.languages, Abilities: engines.Abilities{Transcribes: true}}, nil
	case "whisper-base.en":
		return engines.Model{Name: name, DisplayName: "Whisper base.en", Languages: []string{"en"}, Abilities: engines.Abilities{Transcribes: true}}, nil
	case "kokoro":
		return engines.Model{Name: name, DisplayName: "Kokoro"}, nil
	default:
		return engines.Model{}, backend.E(backend.CodeModelUnknown, "There is no model "+name+".", "Choose another.")
	}
}

func (m *model) AcquireTranscriber(ctx context.Context, name string, phase func(backend.Status)) (*engines.LoadedTranscriber, error) {
	if m.acquire != nil {
		if err := m.acquire(ctx, phase); err != nil {
			return nil, err
		}
	}
	return &engines.LoadedTranscriber{Transcriber: m, Model: name, Release: func() {}}, nil
}

func (m *model) Installed(name string) error {
	if m.missing[name] {
		return backend.E(backend.CodeModelNotDownloaded, name+" is not downloaded.", "Download it first.")
	}
	return nil
}

func (m *model) Info() engines.Info { return engines.Info{Languages: m.languages} }
func (m *model) Close() error       { return nil }

func (m *model) Transcribe(
	ctx context.Context, samples []float32, o engines.TranscribeOptions, emit func(backend.Segment) error,
) (string, error) {
	m.mu.Lock()
	m.lengths = append(m.lengths, len(samples))
	m.given = append(m.given, o)
	run := m.run
	m.mu.Unlock()
	return run(ctx, samples, o, emit)
}

func (m *model) then(run runFunc) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.run = run
}

// row is a stored transcript with what undoes its edits.
type row struct {
	now  backend.Transcript
	past []backend.Transcript
}

// memory is a store that checks states as the real one does.
type memory struct {
	mu   sync.Mutex
	rows map[string]*row
	fail func(op string, t backend.Transcript) error // of a change; may be nil
}

func (m *memory) CreateTranscript(_ context.Context, t backend.Transcript) (backend.Transcript, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rows[t.ID] = &row{now: t}
	return t, nil
}

func (m *memory) Transcript(_ context.Context, id string) (backend.Transcript, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, err := m.find(id)
	if err != nil {
		return backend.Transcript{}, err
	}
	return r.now, nil
}

func (m *memory) find(id string) (*row, error) {
	if r := m.rows[id]; r != nil {
		return r, nil
	}
	return nil, backend.E(backend.CodeTranscriptNotFound, "This transcript does not exist.", "Choose another.")
}

func (m *memory) UpdateTranscript(_ context.Context, id string, change func(*backend.Transcript) error) (backend.Transcript, error) {
	return m.change("update", id, change)
}

func (m *memory) EditTranscript(_ context.Context, id string, change func(*backend.Transcript) error) (backend.Transcript, error) {
	return m.change("edit", id, change)
}

func (m *memory) RerunTranscript(_ context.Context, id string, change func(*backend.Transcript) error) (backend.Transcript, error) {
	return m.change("rerun", id, change)
}

func (m *memory) change(op, id string, change func(*backend.Transcript) error) (backend.Transcript, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, err := m.find(id)
	if err != nil {
		return backend.Transcript{}, err
	}
	t := r.now
	if err := change(&t); err != nil {
		return t, err
	}
	if t.Status != r.now.Status && !r.now.Status.CanMove(t.Status) {
		return t, fmt.Errorf("%s cannot become %s", r.now.Status, t.Status)
	}
	if m.fail != nil {
		if err := m.fail(op, t); err != nil {
			return t, err
		}
	}
	if op != "update" {
		r.past, t.CanUndo = append(r.past, r.now), true
	}
	r.now = t
	return t, nil
}

func (m *memory) UndoTranscript(_ context.Context, id string) (backend.Transcript, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, err := m.find(id)
	if err != nil {
		return backend.Transcript{}, err
	}
	last := len(r.past) - 1
	if last < 0 {
		return r.now, backend.E(backend.CodeNotInProgress, "There is nothing to undo.", "")
	}
	r.now, r.past = r.past[last], r.past[:last]
	return r.now, nil
}

func (m *memory) DeleteTranscripts(_ context.Context, ids []string) (out []backend.Transcript, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range ids {
		if r := m.rows[id]; r != nil {
			out = append(out, r.now)
			delete(m.rows, id)
		}
	}
	return out, nil
}

func (m *memory) ExpireTranscripts(ctx context.Context, ids []string) ([]backend.Transcript, error) {
	return m.DeleteTranscripts(ctx, ids)
}

func (m *memory) ExpiredTranscripts(_ context.Context, before time.Time, limit int) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(m.rows)) {
		if t := m.rows[id].now; t.Status.Ended() && t.CreatedAt.Before(before) && len(ids) < limit {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

func (m *memory) RecoverTranscripts(context.Context) (out []backend.Transcript, _ error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.rows {
		if !r.now.Status.Ended() {
			r.now.Status, r.now.Error = backend.StatusFailed, &backend.Failure{Code: backend.CodeInterrupted}
			out = append(out, r.now)
		}
	}
	return out, nil
}

func (m *memory) TranscriptPaths(context.Context) (map[string]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := map[string]string{}
	for id, r := range m.rows {
		if r.now.AudioPath != "" {
			out[id] = r.now.AudioPath
		}
	}
	return out, nil
}

package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
)

const (
	maxPreviews    = 4 // that are made at the same time; nobody pays for them and no credential is needed
	previewTimeout = 90 * time.Second
)

// previews speaks a sentence in each voice, once.
type previews struct {
	o       *Config
	calls   *calls
	voices  *catalogue
	speaker *speaker

	mu      sync.Mutex
	running map[string]*previewWork // that are being made, by the id of the voice
}

// previewWork is the work on one preview, which all who ask for it share.
type previewWork struct {
	done chan struct{}
	err  error // valid once done is closed
}

// PreviewPrefix begins the names of the files of previews, and of no others.
const PreviewPrefix = "preview-"

// previewName returns the name of the file of a preview. It is longer than the names of fileName, so the two never meet.
func previewName(v Voice) string { return PreviewPrefix + v.ID + ".mp3" }

// Preview returns a short sentence in a voice as MP3, and its size. It is made at the first request and then stored. Errors: 404
// for a voice that is not active; PROVIDER_BUSY while too many are being made; those of the provider.
func (p *previews) Preview(ctx context.Context, voiceID string) (io.ReadSeekCloser, int64, error) {
	v, err := p.voices.voice(ctx, voiceID)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, 0, errNoVoiceFound
	case err != nil:
		return nil, 0, err
	}
	content, size, err := p.openPreview(ctx, v)
	if !errors.Is(err, ErrNotFound) {
		return content, size, err
	}
	if err := p.makePreview(ctx, v); err != nil {
		return nil, 0, err
	}
	return p.openPreview(ctx, v)
}

// openPreview returns the stored preview of a voice. An empty one, as a fault of the disk leaves it, is none.
func (p *previews) openPreview(ctx context.Context, v Voice) (io.ReadSeekCloser, int64, error) {
	content, size, err := p.o.Files.Open(ctx, previewName(v))
	if err == nil && size == 0 {
		return nil, 0, errors.Join(ErrNotFound, content.Close())
	}
	return content, size, err
}

// makePreview returns when the preview of a voice is stored. Requests for the same voice wait for the same work, which does not
// end when one of them does.
func (p *previews) makePreview(ctx context.Context, v Voice) error {
	m, err := p.joinPreview(ctx, v)
	if err != nil {
		return err
	}
	select {
	case <-m.done:
		return m.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// joinPreview returns the work on the preview of a voice, which it starts where there is none.
func (p *previews) joinPreview(ctx context.Context, v Voice) (*previewWork, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if m := p.running[v.ID]; m != nil {
		return m, nil
	}
	if len(p.running) >= maxPreviews {
		return nil, errPreviewsBusy
	}
	work, end, err := p.calls.begin(context.WithoutCancel(ctx))
	if err != nil {
		return nil, err
	}
	m := &previewWork{done: make(chan struct{})}
	p.running[v.ID] = m
	go func() {
		defer end()
		m.err = backend.Contain(func() error { return p.speakPreview(work, v) })
		p.mu.Lock()
		delete(p.running, v.ID)
		p.mu.Unlock()
		close(m.done)
	}()
	return m, nil
}

// speakPreview makes and stores the preview of a voice, unless another request has just done so.
func (p *previews) speakPreview(ctx context.Context, v Voice) error {
	if content, _, err := p.openPreview(ctx, v); err == nil {
		return content.Close()
	}
	limited, cancel := context.WithTimeout(ctx, previewTimeout)
	defer cancel()
	settings, err := Options{}.expressive() // of v3; the others use its speed of 1
	if err != nil {
		return err
	}
	text := backend.PreviewSentence(v.Language)
	sound, err := p.speaker.listen(limited, v.Provider, Speech{Turns: []Turn{{Voice: v, Text: text}}, Settings: settings})
	if err == nil {
		_, err = p.speaker.write(limited, previewName(v), sound, MP3)
	}
	if StatusOf(err) == http.StatusBadRequest { // the text is ours
		err = errProvider.withCause(err)
	}
	var answered *Error
	switch {
	case err == nil, errors.As(err, &answered):
		return err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case limited.Err() != nil:
		return errProvider.withCause(err)
	default:
		return fmt.Errorf("make a preview: %w", err)
	}
}

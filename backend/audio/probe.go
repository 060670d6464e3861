package audio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
)

const probeTimeout = 30 * time.Second // ffmpeg responds at once, but not on a very busy machine

// probe is a run of ffmpeg that lists its encoders. All concurrent callers wait for the same one.
type probe struct {
	done chan struct{}
	err  error // once done is closed
}

// Encoders returns the formats that can be written: wav always, then those of the ffmpeg that was found.
func (c *Codecs) Encoders(ctx context.Context) []string {
	formats := []string{backend.FormatWAV}
	_, have, err := c.find(ctx)
	if err != nil {
		return formats
	}
	for _, e := range encodings() {
		if have[e.encoder] {
			formats = append(formats, e.format)
		}
	}
	return formats
}

// forget makes the next call look ffmpeg up again, as another build of it may be installed meanwhile.
func (c *Codecs) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.have = nil
}

// find returns the path of ffmpeg and its encoders. It looks them up once, and again when the program is gone. When ctx ends it returns while the probe
// continues, so that an ffmpeg that hangs does not block the caller.
func (c *Codecs) find(ctx context.Context) (string, map[string]bool, error) {
	c.mu.Lock()
	if _, err := os.Stat(c.program); c.have != nil && err == nil {
		defer c.mu.Unlock()
		return c.program, c.have, nil
	}
	if c.probing == nil {
		program, err := exec.LookPath("ffmpeg")
		if err == nil {
			program, err = filepath.Abs(program)
		}
		if err != nil {
			c.mu.Unlock()
			return "", nil, missingFFmpeg().WithCause(err)
		}
		c.probing = &probe{done: make(chan struct{})}
		go c.probe(c.probing, program)
	}
	asked := c.probing
	c.mu.Unlock()
	select {
	case <-asked.done:
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return "", nil, unresponsiveFFmpeg().WithCause(ctx.Err())
		}
		return "", nil, backend.ErrCancelled.WithCause(ctx.Err())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.program, c.have, asked.err
}

// probe runs ffmpeg to list its encoders.
func (c *Codecs) probe(p *probe, program string) {
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	var list strings.Builder
	err := backend.Contain(func() error {
		return ffmpeg{program: program, args: []string{"-encoders"}, read: func(r io.Reader) error {
			_, err := io.Copy(&list, io.LimitReader(r, 1<<20))
			return err
		}}.run(ctx)
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.probing = nil
	switch {
	case err == nil:
		c.program, c.have = program, encoderNames(list.String())
	case ctx.Err() != nil:
		p.err = unresponsiveFFmpeg().WithCause(err)
	default:
		p.err = fmt.Errorf("ask ffmpeg for its encoders: %w", err)
	}
	close(p.done)
}

// encoderNames returns the names in the audio lines of `ffmpeg -encoders`: " A....D flac   FLAC (...)".
func encoderNames(list string) map[string]bool {
	have := make(map[string]bool)
	for line := range strings.Lines(list) {
		f := strings.Fields(line)
		if len(f) >= 2 && strings.HasPrefix(f[0], "A") && f[1] != "=" {
			have[f[1]] = true
		}
	}
	return have
}

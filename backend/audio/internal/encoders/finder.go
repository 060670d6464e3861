// Package encoders finds ffmpeg and asks which encoders it has, once for all who wait, and reads its messages. It is apart from
// package audio, which starts no goroutines, because `make test` compiles that one without the race detector.
package encoders

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/subprocess"
)

const probeTimeout = 30 * time.Second // ffmpeg responds at once, but not on a very busy machine

// List returns what `ffmpeg -encoders` prints.
type List func(ctx context.Context, program string) (string, error)

// Finder looks ffmpeg up. It is safe for concurrent use.
type Finder struct {
	list    List
	mu      sync.Mutex
	program string          // absolute path once found
	have    map[string]bool // encoders, once probed
	probing *probe          // in progress, nil without one
}

// NewFinder returns a Finder that looks ffmpeg up when it is first asked.
func NewFinder(list List) *Finder { return &Finder{list: list} }

// probe is a run of ffmpeg that lists its encoders. All concurrent callers wait for the same one.
type probe struct {
	done chan struct{}
	err  error // once done is closed
}

// Forget makes the next call of Find look ffmpeg up again, as another build of it may be installed meanwhile.
func (f *Finder) Forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.have = nil
}

// Find returns the path of ffmpeg and its encoders. It looks them up once, and again when the program is gone. When ctx ends
// it returns while the probe continues, so that an ffmpeg that hangs does not block the caller. Errors: runtime_missing
// without ffmpeg or if it does not respond before the deadline of ctx, cancelled if ctx was cancelled, those of the list.
func (f *Finder) Find(ctx context.Context) (program string, encoders map[string]bool, err error) {
	f.mu.Lock()
	if _, err := os.Stat(f.program); f.have != nil && err == nil {
		defer f.mu.Unlock()
		return f.program, f.have, nil
	}
	if f.probing == nil {
		program, err := subprocess.Find(backend.ProgramFFmpeg)
		if err != nil {
			f.mu.Unlock()
			return "", nil, Missing().WithCause(err)
		}
		f.probing = &probe{done: make(chan struct{})}
		go f.probe(f.probing, program)
	}
	running := f.probing
	f.mu.Unlock()
	select {
	case <-running.done:
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return "", nil, errUnresponsive().WithCause(ctx.Err())
		}
		return "", nil, backend.ErrCancelled.WithCause(ctx.Err())
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.program, f.have, running.err
}

// probe runs ffmpeg to list its encoders.
func (f *Finder) probe(p *probe, program string) {
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	var list string
	err := backend.Contain(func() (err error) {
		list, err = f.list(ctx, program)
		return err
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	f.probing = nil
	switch {
	case err == nil:
		f.program, f.have = program, names(list)
	case ctx.Err() != nil:
		p.err = errUnresponsive().WithCause(err)
	default:
		p.err = err
	}
	close(p.done)
}

// names returns the names in the audio lines of `ffmpeg -encoders`: " A....D flac   FLAC (...)".
func names(list string) map[string]bool {
	have := make(map[string]bool)
	for line := range strings.Lines(list) {
		f := strings.Fields(line)
		if len(f) >= 2 && strings.HasPrefix(f[0], "A") && f[1] != "=" {
			have[f[1]] = true
		}
	}
	return have
}

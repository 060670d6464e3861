package uploads

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract"
)

// A file needs one unit for each unitBytes of its size, because it takes several times its size in memory. There are enough
// units for the largest file and a small one at once.
const (
	unitBytes = 10_000_000
	units     = extract.MaxFile/unitBytes + 1
)

// semaphore limits how many files are extracted at once, by their number and size.
type semaphore struct {
	acquiring chan struct{} // held by the file that acquires units, so that two never wait for each other
	used      chan struct{} // has a value for each unit in use
}

func newSemaphore() *semaphore {
	return &semaphore{make(chan struct{}, 1), make(chan struct{}, units)}
}

// acquire waits for the units of a file and returns the function that releases them. Error: cancelled.
func (s *semaphore) acquire(ctx context.Context, bytes int64) (release func(), err error) {
	need := int(min(max(bytes, 1), extract.MaxFile)+unitBytes-1) / unitBytes
	have := 0
	release = func() {
		for range have {
			<-s.used
		}
	}
	select {
	case s.acquiring <- struct{}{}:
		defer func() { <-s.acquiring }()
	case <-ctx.Done():
		return nil, backend.ErrCancelled.WithCause(ctx.Err())
	}
	for have < need {
		select {
		case s.used <- struct{}{}:
			have++
		case <-ctx.Done():
			release()
			return nil, backend.ErrCancelled.WithCause(ctx.Err())
		}
	}
	return release, nil
}

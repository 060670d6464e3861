package extract

import (
	"context"
	"fmt"
	"io"

	"github.com/voicewright/voicewright/backend"
)

// A file takes a place for each placeBytes that it has, and there are places for the largest file and a small one beside it:
// what a file unfolds to in memory is several times its size.
const (
	placeBytes = 10_000_000
	places     = MaxFile/placeBytes + 1
)

// gate bounds how many files are extracted at once, by count and by bytes.
type gate struct {
	turn  chan struct{} // who takes places, so that two never wait for each other
	taken chan struct{} // a value for each place
}

func newGate() *gate { return &gate{make(chan struct{}, 1), make(chan struct{}, places)} }

// enter waits for the places of a file. leave gives them back. Error: cancelled.
func (g *gate) enter(ctx context.Context, bytes int64) (leave func(), err error) {
	need := int(min(max(bytes, 1), MaxFile)+placeBytes-1) / placeBytes
	have := 0
	leave = func() {
		for range have {
			<-g.taken
		}
	}
	select {
	case g.turn <- struct{}{}:
		defer func() { <-g.turn }()
	case <-ctx.Done():
		return nil, backend.ErrCancelled.WithCause(ctx.Err())
	}
	for have < need {
		select {
		case g.taken <- struct{}{}:
			have++
		case <-ctx.Done():
			leave()
			return nil, backend.ErrCancelled.WithCause(ctx.Err())
		}
	}
	return leave, nil
}

// File is Extract of a file that is read when there is memory for it: large ones wait for each other.
func (e *Extractor) File(ctx context.Context, name string, bytes int64, r io.Reader) (Document, error) {
	e.opened.Do(func() { e.gate = newGate() })
	leave, err := e.gate.enter(ctx, bytes)
	if err != nil {
		return Document{}, err
	}
	defer leave()
	raw, err := io.ReadAll(io.LimitReader(r, MaxFile+1))
	if err != nil {
		return Document{}, fmt.Errorf("read the file: %w", err)
	}
	return e.Extract(ctx, name, raw)
}

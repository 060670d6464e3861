package hosted_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted"
)

var _ hosted.Parts = (*partStore)(nil)

// partStore is a store of calls in memory, which stays when the service is opened anew.
type partStore struct {
	mu     sync.Mutex
	rows   []backend.HostedPart
	writes int
	dead   bool
	until  int // writes after which the program is dead; 0 = never
}

var errDead = errors.New("the program is dead")

// write counts a write; mu is held.
func (p *partStore) write() error {
	p.writes++
	if p.until > 0 && p.writes > p.until {
		p.dead = true
	}
	if p.dead {
		return errDead
	}
	return nil
}

// dieAfter makes all writes after the next n ones fail, as if the program had been killed; revive ends it.
func (p *partStore) dieAfter(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.until = p.writes + n
	p.dead = n == 0
}

func (p *partStore) revive() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.until, p.dead = 0, false
}

// all returns the calls, the oldest first.
func (p *partStore) all() []backend.HostedPart {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.rows)
}

// states returns the states of all calls.
func (p *partStore) states() []backend.HostedState {
	var all []backend.HostedState
	for _, row := range p.all() {
		all = append(all, row.State)
	}
	return all
}

func (p *partStore) AddHostedPart(ctx context.Context, row backend.HostedPart) (backend.HostedPart, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := errors.Join(ctx.Err(), p.write()); err != nil {
		return backend.HostedPart{}, err
	}
	row.Seq, row.CreatedAt = int64(len(p.rows)+1), time.Now()
	p.rows = append(p.rows, row)
	return row, nil
}

func (p *partStore) UpdateHostedPart(ctx context.Context, row backend.HostedPart) (backend.HostedPart, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := errors.Join(ctx.Err(), p.write()); err != nil {
		return backend.HostedPart{}, err
	}
	row.UpdatedAt = time.Now()
	for i := range p.rows {
		if p.rows[i].Seq == row.Seq {
			p.rows[i] = row
			return row, nil
		}
	}
	return backend.HostedPart{}, backend.E(backend.CodeGenerationNotFound, "There is no such generation.", "")
}

func (p *partStore) HostedParts(_ context.Context, generationID string) ([]backend.HostedPart, error) {
	return slices.DeleteFunc(p.all(), func(row backend.HostedPart) bool { return row.GenerationID != generationID }), nil
}

func (p *partStore) HostedPartsIn(_ context.Context, states ...backend.HostedState) ([]backend.HostedPart, error) {
	return slices.DeleteFunc(p.all(), func(row backend.HostedPart) bool { return !slices.Contains(states, row.State) }), nil
}

func (p *partStore) DeleteHostedParts(_ context.Context, generationID string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rows = slices.DeleteFunc(p.rows, func(row backend.HostedPart) bool { return row.GenerationID == generationID })
	return nil
}

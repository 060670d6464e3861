package espeak

import (
	"io"
	"time"
)

// The insides that tests look at from outside.
var (
	ParseVoices = parseVoices
	ClauseLine  = clauseLine
	ReadHeader  = readHeader
	Samples     = samples
	Rate        = rate
	Pitch       = pitch
)

// Patient makes a reader of the sound of a process that calls stalled when a byte does not come within limit.
func Patient(from io.Reader, limit time.Duration, stalled func()) io.Reader {
	watch := time.AfterFunc(limit, stalled)
	watch.Stop()
	return patient{from, watch, limit}
}

// SetStall shortens the wait for a hung process.
func (e *Engine) SetStall(d time.Duration) { e.stall = d }

// SetStall shortens the wait for a hung process.
func (p *Phonemizer) SetStall(d time.Duration) { p.stall = d }

// Running gives the process ids of the running processes.
func (p *Phonemizer) Running() []int {
	p.mu.Lock()
	defer p.mu.Unlock()
	var ids []int
	for _, s := range p.seats {
		if s.process != nil {
			ids = append(ids, s.process.cmd.Process.Pid)
		}
	}
	return ids
}

// SetWait shortens the wait for a list.
func (in *installation) SetWait(d time.Duration) { in.wait = d }

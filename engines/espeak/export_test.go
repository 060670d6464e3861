package espeak

import (
	"io"
	"time"
)

// Unexported functions for tests.
var (
	Canonical     = canonical
	ParseVoices   = parseVoices
	ClauseLine    = clauseLine
	ReadHeader    = readHeader
	AppendSamples = appendSamples
	Rate          = rate
	Pitch         = pitch
)

// Known are the voices of espeak-ng 1.51.
const Known = known

// StallReader returns a reader that calls stalled when a byte does not come within limit, or all of them not within total.
func StallReader(from io.Reader, limit, total time.Duration, stalled func()) io.Reader {
	watch := time.AfterFunc(limit, stalled)
	watch.Stop()
	return stallReader{from, watch, limit, &total}
}

// SetStall sets how long a process may print nothing.
func (e *Engine) SetStall(d time.Duration) { e.stall = d }

// SetStall sets how long a process may print nothing.
func (p *Phonemizer) SetStall(d time.Duration) { p.stall = d }

// Running returns the process ids of the running processes.
func (p *Phonemizer) Running() []int {
	p.mu.Lock()
	defer p.mu.Unlock()
	var ids []int
	for _, s := range p.slots {
		if s.process != nil {
			ids = append(ids, s.process.cmd.Process.Pid)
		}
	}
	return ids
}

// SetTimeout sets how long a command that prints a list may run.
func (in *installation) SetTimeout(d time.Duration) { in.timeout = d }

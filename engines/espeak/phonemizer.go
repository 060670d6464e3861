package espeak

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/phonemes"
)

var (
	_ engines.Phonemizer = (*Phonemizer)(nil)
	_ engines.Pronouncer = (*Phonemizer)(nil)
)

// maxProcesses is how many processes of espeak-ng stay running (8 to 10 MB each). English alone can need three, the two accents
// with ties and one without, which leaves three for other languages.
const maxProcesses = 6

// Phonemizer turns text into phonemes, in sentences for Piper's models or in one piece, with one running espeak-ng for each
// accent. When there are more than six, the least recently used process is stopped. It is safe for concurrent use; calls for
// one accent run one after the other.
type Phonemizer struct {
	installation
	stall time.Duration

	mu      sync.Mutex
	slots   map[accent]*slot
	clock   uint64 // counts calls, for slot.used
	closed  bool
	callers sync.WaitGroup
}

// accent is how a process speaks.
type accent struct {
	voice string // argument of -v
	tie   bool   // join the letters of one phoneme by ^
}

// slot holds the process of one accent.
type slot struct {
	accent  accent
	free    chan struct{} // holds a token while no call uses the slot
	callers int           // calls that use the slot or wait for it
	used    uint64        // clock of the last call
	process *process      // nil before the first call and after a failure; changed under Phonemizer.mu by the call that uses the slot
}

// NewPhonemizer returns a Phonemizer. Processes are started by calls and stopped by Close.
func NewPhonemizer() *Phonemizer {
	return &Phonemizer{stall: stallTimeout, slots: make(map[accent]*slot)}
}

// Phonemize returns the sentences of text in the IPA of espeak-ng as Piper builds them: NFD, one code point for each
// phoneme, with the punctuation . , : ; ! ? and spaces, and with the stress of the library that Piper calls. voice is
// an espeak-ng voice or language, such as en-us or fr. For text without anything to pronounce it returns no sentences or empty
// ones.
// Errors: runtime_missing, not_found (voice), language_not_supported (a voice without phonemes), engine_failed, cancelled.
func (p *Phonemizer) Phonemize(ctx context.Context, text, voice string) ([]engines.Sentence, error) {
	row, err := p.find(ctx, voice)
	if err != nil {
		return nil, err
	}
	s, err := p.acquire(ctx, accent{voice: row.arg})
	if err != nil {
		return nil, err
	}
	defer p.release(s)
	clauses := phonemes.Scan(text, row.ID)
	spoken := make([]string, len(clauses))
	for i, c := range clauses {
		output, err := p.spoken(ctx, s, c.Text)
		if err != nil {
			return nil, err
		}
		if spoken[i], err = p.libraryStress(ctx, s, row.ID, c.Text, strings.Join(output, "")); err != nil {
			return nil, err
		}
	}
	return phonemes.Assemble(clauses, spoken), nil
}

// Pronounce returns the phonemes of text in the IPA of espeak-ng: the clauses that espeak-ng finds in it, without the spaces
// around each, joined by one space; stress marks and language flags such as (en) stay in. With tie the letters of one phoneme
// are joined by ^, as in t^ʃ. White space of any kind counts as a space, and [[ as two brackets, not as phoneme input. voice is
// an espeak-ng voice or language, such as en-us or fr. For text without a sound it returns an empty string.
// Errors: runtime_missing, not_found (voice), language_not_supported (a voice without phonemes), engine_failed, cancelled.
func (p *Phonemizer) Pronounce(ctx context.Context, text, voice string, tie bool) (string, error) {
	row, err := p.find(ctx, voice)
	if err != nil {
		return "", err
	}
	s, err := p.acquire(ctx, accent{voice: row.arg, tie: tie})
	if err != nil {
		return "", err
	}
	defer p.release(s)
	output, err := p.spoken(ctx, s, text)
	if err != nil {
		return "", err
	}
	return strings.Join(output, " "), nil
}

// Close stops all processes. Calls in progress return cancelled.
func (p *Phonemizer) Close() error {
	p.mu.Lock()
	p.closed = true
	for _, s := range p.slots {
		if s.process != nil {
			s.process.abort()
		}
	}
	p.mu.Unlock()
	p.callers.Wait()
	p.mu.Lock()
	idle := p.surplus(0)
	p.mu.Unlock()
	stopAll(idle)
	return nil
}

// acquire waits until the slot of an accent is free, and returns it.
func (p *Phonemizer) acquire(ctx context.Context, a accent) (*slot, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, backend.ErrCancelled.WithCause(errors.New("phonemizer is closed"))
	}
	s := p.slots[a]
	if s == nil {
		s = &slot{accent: a, free: make(chan struct{}, 1)}
		s.free <- struct{}{}
		p.slots[a] = s
	}
	p.clock++
	s.used = p.clock
	s.callers++
	p.callers.Add(1)
	idle := p.surplus(maxProcesses)
	p.mu.Unlock()
	stopAll(idle)

	select {
	case <-s.free:
		return s, nil
	case <-ctx.Done():
		p.leave(s)
		return nil, backend.ErrCancelled.WithCause(context.Cause(ctx))
	}
}

func (p *Phonemizer) release(s *slot) {
	s.free <- struct{}{}
	p.leave(s)
}

func (p *Phonemizer) leave(s *slot) {
	p.mu.Lock()
	s.callers--
	p.mu.Unlock()
	p.callers.Done()
}

// surplus removes the longest unused slots until limit are left, and returns their processes. Slots in use stay. The caller
// holds mu.
func (p *Phonemizer) surplus(limit int) []*process {
	var idle []*process
	for len(p.slots) > limit {
		var oldest *slot
		for _, s := range p.slots {
			if s.callers == 0 && (oldest == nil || s.used < oldest.used) {
				oldest = s
			}
		}
		if oldest == nil {
			break
		}
		if oldest.process != nil {
			idle = append(idle, oldest.process)
		}
		delete(p.slots, oldest.accent)
	}
	return idle
}

func stopAll(idle []*process) {
	for _, p := range idle {
		p.stop()
	}
}

// spoken returns the raw phonemes of text, clause by clause as espeak-ng cuts it.
func (p *Phonemizer) spoken(ctx context.Context, s *slot, text string) ([]string, error) {
	var all []string
	for _, line := range lines(clauseLine(text)) {
		output, err := p.line(ctx, s, line)
		if err != nil {
			return nil, err
		}
		all = append(all, output...)
	}
	return all, nil
}

// line returns the raw phonemes of one line. A process that has died is replaced once.
func (p *Phonemizer) line(ctx context.Context, s *slot, line string) ([]string, error) {
	output, err := p.tryLine(ctx, s, line)
	if err != nil && ctx.Err() == nil && !errors.Is(err, errStalled) && !errors.Is(err, errMute) {
		output, err = p.tryLine(ctx, s, line)
	}
	if err != nil {
		return nil, p.explain(ctx, s.accent.voice, err)
	}
	return output, nil
}

// tryLine returns the raw phonemes of one line from the process of a slot. The process is started when there is none, and
// stopped when it fails.
func (p *Phonemizer) tryLine(ctx context.Context, s *slot, line string) ([]string, error) {
	if s.process == nil {
		fresh, err := start(ctx, s.accent, p.stall)
		if err != nil {
			return nil, err
		}
		if !p.setProcess(s, fresh) {
			fresh.stop()
			return nil, errors.New("phonemizer is closed")
		}
	}
	output, err := s.process.phonemes(ctx, line)
	if err != nil {
		old := s.process
		p.setProcess(s, nil)
		old.stop()
	}
	return output, err
}

// setProcess puts a process into a slot. It reports false, and does nothing, when the Phonemizer was closed meanwhile.
func (p *Phonemizer) setProcess(s *slot, fresh *process) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed && fresh != nil {
		return false
	}
	s.process = fresh
	return true
}

// explain turns the error of a process into one for the user.
func (p *Phonemizer) explain(ctx context.Context, voice string, err error) error {
	p.mu.Lock()
	closed := p.closed
	p.mu.Unlock()
	var known *backend.Error
	switch {
	case closed:
		return backend.ErrCancelled.WithCause(err)
	case errors.As(err, &known):
		return err
	case errors.Is(err, errMute):
		return backend.E(backend.CodeLanguageNotSupported, "espeak-ng has no phonemes for this voice.",
			"Choose another voice.").With("voice", voice).WithCause(err)
	}
	return errFailed(ctx, err)
}

// lines cuts a line that is too long for espeak-ng, at a space where there is one.
func lines(line string) []string {
	var all []string
	for len(line) > maxLine {
		cut := strings.LastIndexByte(line[:maxLine], ' ')
		if cut <= 0 {
			for cut = maxLine; !utf8.RuneStart(line[cut]); {
				cut--
			}
		}
		all = append(all, line[:cut])
		line = strings.Trim(line[cut:], " ")
	}
	if line != "" {
		all = append(all, line)
	}
	return all
}

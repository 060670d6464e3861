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

// maxProcesses is how many accents keep a running espeak-ng (8 to 10 MB each). English alone can need three, the two
// accents with ties and one without, and three more are left for other languages.
const maxProcesses = 6

// Phonemizer turns text into phonemes, sentence by sentence as Piper's models know them or piece by piece, by one
// running espeak-ng for each accent. The least recently used process ends when there are more than six. It is safe for
// concurrent use; calls for one accent wait for each other.
type Phonemizer struct {
	installation
	stall time.Duration

	mu      sync.Mutex
	seats   map[accent]*seat
	clock   uint64 // counts calls, to tell which seat was used last
	closed  bool
	callers sync.WaitGroup
}

// accent is how a process speaks.
type accent struct {
	voice string // the word for -v
	tie   bool   // the letters of one sound are joined by ^
}

// seat is the place of one accent's process.
type seat struct {
	accent  accent
	turn    chan struct{} // holds a token while nobody asks
	callers int           // who hold or wait for the turn
	used    uint64
	process *process // nil before the first call and after a failure; changed under Phonemizer.mu by the turn's holder
}

// NewPhonemizer makes a Phonemizer. It starts nothing; Close ends what calls have started.
func NewPhonemizer() *Phonemizer {
	return &Phonemizer{stall: stallTimeout, seats: make(map[accent]*seat)}
}

// Phonemize gives the sentences of text in the IPA of espeak-ng as Piper builds them: NFD, one code point for each
// phoneme, with the punctuation . , : ; ! ? and spaces, and with the stress of the library that Piper calls. voice is an espeak-ng voice or language, such as en-us or fr.
// Text without anything to pronounce gives no sentences or empty ones.
// Errors: runtime_missing, not_found (voice), language_not_supported (a voice without phonemes), engine_failed, cancelled.
func (p *Phonemizer) Phonemize(ctx context.Context, text, voice string) ([]engines.Sentence, error) {
	found, err := p.find(ctx, voice)
	if err != nil {
		return nil, err
	}
	s, err := p.take(ctx, accent{voice: found.word})
	if err != nil {
		return nil, err
	}
	defer p.release(s)
	clauses := phonemes.Scan(text, found.ID)
	spoken := make([]string, len(clauses))
	for i, c := range clauses {
		said, err := p.say(ctx, s, c.Text)
		if err != nil {
			return nil, err
		}
		if spoken[i], err = p.libraryStress(ctx, s, found.ID, c.Text, strings.Join(said, "")); err != nil {
			return nil, err
		}
	}
	return phonemes.Assemble(clauses, spoken), nil
}

// Pronounce gives what text sounds like in the IPA of espeak-ng: the clauses that espeak-ng finds in it, without the
// spaces around each, joined by one space; stress marks and language flags such as (en) stay in. With tie the letters
// of one sound are joined by ^, as in t^ʃ. White space of any kind counts as a space, and [[ as two brackets, not as
// phoneme input. voice is an espeak-ng voice or language, such as en-us or fr. Text without a sound gives "".
// Errors: runtime_missing, not_found (voice), language_not_supported (a voice without phonemes), engine_failed, cancelled.
func (p *Phonemizer) Pronounce(ctx context.Context, text, voice string, tie bool) (string, error) {
	found, err := p.find(ctx, voice)
	if err != nil {
		return "", err
	}
	s, err := p.take(ctx, accent{voice: found.word, tie: tie})
	if err != nil {
		return "", err
	}
	defer p.release(s)
	said, err := p.say(ctx, s, text)
	if err != nil {
		return "", err
	}
	return strings.Join(said, " "), nil
}

// Close ends all processes and the calls in progress, which return cancelled.
func (p *Phonemizer) Close() error {
	p.mu.Lock()
	p.closed = true
	for _, s := range p.seats {
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

// take waits for the turn of an accent.
func (p *Phonemizer) take(ctx context.Context, a accent) (*seat, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, backend.ErrCancelled.WithCause(errors.New("phonemizer is closed"))
	}
	s := p.seats[a]
	if s == nil {
		s = &seat{accent: a, turn: make(chan struct{}, 1)}
		s.turn <- struct{}{}
		p.seats[a] = s
	}
	p.clock++
	s.used = p.clock
	s.callers++
	p.callers.Add(1)
	idle := p.surplus(maxProcesses)
	p.mu.Unlock()
	stopAll(idle)

	select {
	case <-s.turn:
		return s, nil
	case <-ctx.Done():
		p.leave(s)
		return nil, backend.ErrCancelled.WithCause(context.Cause(ctx))
	}
}

func (p *Phonemizer) release(s *seat) {
	s.turn <- struct{}{}
	p.leave(s)
}

func (p *Phonemizer) leave(s *seat) {
	p.mu.Lock()
	s.callers--
	p.mu.Unlock()
	p.callers.Done()
}

// surplus removes the longest unused seats until limit are left, and gives their processes. Seats in use stay. The
// caller holds mu.
func (p *Phonemizer) surplus(limit int) []*process {
	var idle []*process
	for len(p.seats) > limit {
		var oldest *seat
		for _, s := range p.seats {
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
		delete(p.seats, oldest.accent)
	}
	return idle
}

func stopAll(idle []*process) {
	for _, p := range idle {
		p.stop()
	}
}

// say returns the raw phonemes of text, clause by clause as espeak-ng parts it.
func (p *Phonemizer) say(ctx context.Context, s *seat, text string) ([]string, error) {
	var spoken []string
	for _, line := range lines(clauseLine(text)) {
		answer, err := p.answer(ctx, s, line)
		if err != nil {
			return nil, err
		}
		spoken = append(spoken, answer...)
	}
	return spoken, nil
}

// answer returns the raw phonemes of one line. A process that has died is replaced once.
func (p *Phonemizer) answer(ctx context.Context, s *seat, line string) ([]string, error) {
	answer, err := p.ask(ctx, s, line)
	if err != nil && ctx.Err() == nil && !errors.Is(err, errStalled) && !errors.Is(err, errMute) {
		answer, err = p.ask(ctx, s, line)
	}
	if err != nil {
		return nil, p.explain(ctx, s.accent.voice, err)
	}
	return answer, nil
}

// ask asks the seat's process, which is started when there is none and dropped when it fails.
func (p *Phonemizer) ask(ctx context.Context, s *seat, line string) ([]string, error) {
	if s.process == nil {
		fresh, err := start(ctx, s.accent, p.stall)
		if err != nil {
			return nil, err
		}
		if !p.seat(s, fresh) {
			fresh.stop()
			return nil, errors.New("phonemizer is closed")
		}
	}
	answer, err := s.process.ask(ctx, line)
	if err != nil {
		old := s.process
		p.seat(s, nil)
		old.stop()
	}
	return answer, err
}

// seat puts a process on a seat. It reports false, and does nothing, when the Phonemizer was closed meanwhile.
func (p *Phonemizer) seat(s *seat, fresh *process) bool {
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
		return backend.E(backend.CodeLanguageNotSupported, "espeak-ng gives no phonemes for this voice.",
			"Choose another voice.").With("voice", voice).WithCause(err)
	}
	return failed(ctx, err)
}

// lines cuts a line that is too long for one reading of espeak-ng, at a space where there is one.
func lines(line string) []string {
	var all []string
	for len(line) > longestLine {
		cut := strings.LastIndexByte(line[:longestLine], ' ')
		if cut <= 0 {
			for cut = longestLine; !utf8.RuneStart(line[cut]); {
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

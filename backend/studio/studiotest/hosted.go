package studiotest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// The voices of Hosted.
const (
	Ann  = "voice-ann" // of ProviderA
	Bob  = "voice-bob" // of ProviderA
	Cleo = "voice-cleo"
)

// Hosted is a hosted service whose raw audio is one sample for each byte of the text.
type Hosted struct {
	MaxCharacters int                                                               // of a call
	Gate          func(ctx context.Context, h backend.HostedSpeech, part int) error // before each call; may be nil
	CheckError    error                                                             // what Check returns
	Times         int64                                                             // the usual price; 0 = 1
	PendingIDs    []string                                                          // what Pending returns
	Checked       []int                                                             // how many speeches, together
	Spoken        []backend.HostedSpeech
	Forgot        []string // ids of generations

	dir    string
	mu     sync.Mutex
	stored map[string]map[string]backend.HostedAudio // by generation and text
	calls  []string                                  // the texts that were paid
}

// NewHosted returns a service that nobody called yet.
func NewHosted(t *testing.T) *Hosted {
	return &Hosted{dir: t.TempDir(), MaxCharacters: 5000, stored: map[string]map[string]backend.HostedAudio{}}
}

// Voice returns one of the three voices, and the model that speaks it.
func (f *Hosted) Voice(_ context.Context, id, model string) (backend.HostedVoice, backend.HostedModel, error) {
	v := backend.HostedVoice{ID: id, Name: "Ann", Provider: "ProviderA", Language: "en-US"}
	m := backend.HostedModel{ID: cmp.Or(model, backend.HostedV3), Provider: "ProviderA"}
	switch id {
	case Ann:
	case Bob:
		v.Name = "Bob"
	case Cleo:
		v.Name, v.Provider, m.Provider, m.ID = "Cleo", "ProviderC", "ProviderC", cmp.Or(model, "providerC-neural2")
	default:
		return v, m, backend.E(backend.CodeHostedVoiceNotFound, "No such voice.", "Choose another one.")
	}
	return v, m, nil
}

// Limit returns the most characters of a call.
func (f *Hosted) Limit(string) int { return f.MaxCharacters }

// Quote returns what speeches cost; one of a model other than v3 has no price.
func (f *Hosted) Quote(_ context.Context, speeches []backend.HostedSpeech, accepted *int64) (backend.HostedQuote, error) {
	q := backend.HostedQuote{Credits: new(int64)}
	known := true
	for _, h := range speeches {
		known = known && h.Model == backend.HostedV3
		for _, t := range sent(h) {
			q.Calls++
			q.Characters += utf8.RuneCountInString(t.Text)
			*q.Credits += HostedPrice(t.Text) * max(f.Times, 1)
		}
	}
	if !known {
		q.Credits = nil
	}
	q.Ask = q.Credits != nil && *q.Credits > 1000 && (accepted == nil || *accepted < *q.Credits)
	return q, nil
}

// Check notes how many speeches are checked together, and refuses a price that is asked for.
func (f *Hosted) Check(ctx context.Context, speeches []backend.HostedSpeech, accepted *int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Checked = append(f.Checked, len(speeches))
	if q, _ := f.Quote(ctx, speeches, accepted); q.Ask && f.CheckError == nil {
		return backend.E(backend.CodeHostedConfirm, "The price is one before which you want to be asked.", "Accept it.").
			With("credits", q.Credits).With("accepted", accepted)
	}
	return f.CheckError
}

// Speak pays for the texts that are not paid, one after another, and returns the audio of all.
func (f *Hosted) Speak(
	ctx context.Context, h backend.HostedSpeech, progress func(done, total int, wait *backend.Wait),
) ([]backend.HostedAudio, backend.HostedBill, error) {
	f.mu.Lock()
	f.Spoken = append(f.Spoken, h)
	have := len(f.stored[h.GenerationID])
	f.mu.Unlock()
	texts := sent(h)
	bill := backend.HostedBill{Credits: new(int64), Left: new(int64(5000))}
	progress(have, len(texts), nil)
	var all []backend.HostedAudio
	for i, text := range texts {
		if from := f.donor(h, text); from != "" {
			f.copy(h, text.Text, from)
			bill.Calls, *bill.Credits = bill.Calls-1, *bill.Credits-HostedPrice(text.Text)
		}
		if !f.has(h, text) {
			if h.FetchOnly {
				return nil, bill, backend.E(backend.CodeInterrupted, "It was interrupted.", "Retry it.")
			}
			if f.Gate != nil {
				if err := f.Gate(ctx, h, i); err != nil {
					return nil, bill, err
				}
			}
			f.Pay(h, i, text.Text)
		}
		bill.Calls++
		*bill.Credits += HostedPrice(text.Text)
		progress(i+1, len(texts), nil)
		all = append(all, f.stored[h.GenerationID][text.Text])
		if h.Stored != nil {
			h.Stored(i, all[i])
		}
	}
	return all, bill, nil
}

// has reports whether a part is paid.
func (f *Hosted) has(h backend.HostedSpeech, text backend.HostedText) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, ok := f.stored[h.GenerationID][text.Text]
	return ok
}

// donor returns the generation whose audio of a text is copied; empty where it is paid, or has to be.
func (f *Hosted) donor(h backend.HostedSpeech, text backend.HostedText) string {
	for _, id := range h.Donors {
		if f.has(backend.HostedSpeech{GenerationID: id}, text) && !f.has(h, text) {
			return id
		}
	}
	return ""
}

func (f *Hosted) copy(h backend.HostedSpeech, text, from string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	a := f.stored[from][text]
	a.From = from
	if f.stored[h.GenerationID] == nil {
		f.stored[h.GenerationID] = map[string]backend.HostedAudio{}
	}
	f.stored[h.GenerationID][text] = a
}

// Received returns the audio of the first texts that are paid.
func (f *Hosted) Received(_ context.Context, h backend.HostedSpeech) (received []backend.HostedAudio, err error) {
	for _, text := range sent(h) {
		if !f.has(h, text) {
			break
		}
		received = append(received, f.stored[h.GenerationID][text.Text])
	}
	return received, nil
}

// Unpaid returns a speech with the texts that are not paid.
func (f *Hosted) Unpaid(_ context.Context, h backend.HostedSpeech) (backend.HostedSpeech, error) {
	h.Texts = slices.DeleteFunc(slices.Clone(h.Texts), func(text backend.HostedText) bool { return f.has(h, text) || f.donor(h, text) != "" })
	return h, nil
}

// FetchPaid finds nothing that was paid and not received.
func (f *Hosted) FetchPaid(context.Context, string) (backend.HostedBill, error) {
	return backend.HostedBill{}, nil
}

// Pay stores the audio of part i.
func (f *Hosted) Pay(h backend.HostedSpeech, i int, text string) {
	content := make([]byte, 0, 2*len(text))
	for _, b := range []byte(text) {
		content = append(content, b, 1)
	}
	if strings.HasPrefix(h.Options.ResponseFormat, "mp3") {
		content = hostedtest.MP3
	}
	path := filepath.Join(f.dir, fmt.Sprintf("%s-%d-%d", h.GenerationID, i, len(f.Paid())))
	_ = os.WriteFile(path, content, 0o600)
	sum := sha256.Sum256(content)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, text)
	if f.stored[h.GenerationID] == nil {
		f.stored[h.GenerationID] = map[string]backend.HostedAudio{}
	}
	f.stored[h.GenerationID][text] = backend.HostedAudio{
		Path: path, Format: h.Options.ResponseFormat, SHA256: hex.EncodeToString(sum[:]),
	}
}

// Pending returns the generations whose audio was paid and not received.
func (f *Hosted) Pending(context.Context) ([]string, error) { return f.PendingIDs, nil }

// Forget removes the audio of a generation.
func (f *Hosted) Forget(_ context.Context, id string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Forgot = append(f.Forgot, id)
	delete(f.stored, id)
	return nil
}

// PreviewFile returns a short MP3.
func (f *Hosted) PreviewFile(context.Context, string) (string, error) {
	path := filepath.Join(f.dir, "preview")
	return path, os.WriteFile(path, hostedtest.MP3, 0o600)
}

// Paid returns the texts that were paid, in their order.
func (f *Hosted) Paid() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]string(nil), f.calls...)
}

// HoldFrom lets the parts of a hosted generation wait from part n on, until open is called.
func (f *Hosted) HoldFrom(t *testing.T, n int) (open func()) {
	held := make(chan struct{})
	open = sync.OnceFunc(func() { close(held) })
	t.Cleanup(open)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Gate = func(ctx context.Context, _ backend.HostedSpeech, part int) error {
		if part >= n {
			select {
			case <-held:
			case <-ctx.Done():
			}
		}
		return ctx.Err()
	}
	return open
}

// sent returns what is sent in each call.
func sent(h backend.HostedSpeech) []backend.HostedText {
	if len(h.Turns) == 0 {
		return h.Texts
	}
	var all strings.Builder
	for _, turn := range h.Turns {
		all.WriteString(turn.Text)
	}
	return []backend.HostedText{{Text: all.String()}}
}

// HostedPrice returns the price of a text with an API key, in credits, rounded up.
func HostedPrice(text string) int64 {
	return (int64(utf8.RuneCountInString(text))*2100*9 + 9999) / 10000
}

// NewWithHosted returns a lab with a hosted service.
func NewWithHosted(t *testing.T) (*Lab, *Hosted) {
	f := NewHosted(t)
	return New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *Lab) { l.Options.Hosted = f }), f
}

// HostedRequest returns a request with a hosted voice.
func (l *Lab) HostedRequest(voice, text string) generations.Request {
	r := l.Request(text)
	r.Voice = "hosted:" + voice
	return r
}

// ThreeParts is a text of which a hosted voice speaks three parts.
const ThreeParts = "One.[pause 1s]Two.[pause 250ms]Three."

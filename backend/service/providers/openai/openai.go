// Package openai speaks with any server that has the speech endpoint of OpenAI's API: POST /audio/speech.
package openai

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/providers"
)

// Options are the server and what it is asked for.
type Options struct {
	Provider service.ProviderID
	URL      string // up to the version, such as https://host/v1
	APIKey   string // empty where the server needs none
	Model    string
	Timeout  time.Duration   // of a request; providers.DefaultTimeout if 0
	Voices   []service.Voice // in place of OpenAI's; nil for those
	Client   *http.Client    // nil for the usual one: TLS is verified, proxies come from the environment
	Codecs   *audio.Codecs   // read what is not WAV or PCM; nil for those of the machine
}

// Provider speaks with one server. It is safe for concurrent use.
type Provider struct {
	options  Options
	endpoint string
	client   http.Client
	voices   []service.Voice
}

var _ service.Provider = (*Provider)(nil)

// New returns a provider. It does not connect.
func New(o Options) (*Provider, error) {
	base, err := url.Parse(o.URL)
	if err != nil {
		return nil, fmt.Errorf("address of %s: %w", o.Provider, err)
	}
	if o.Timeout == 0 {
		o.Timeout = providers.DefaultTimeout
	}
	if o.Codecs == nil {
		o.Codecs = audio.FindCodecs()
	}
	p := &Provider{options: o, endpoint: base.JoinPath("audio", "speech").String(), voices: slices.Clone(o.Voices)}
	if o.Voices == nil {
		p.voices = publishedVoices(o.Model)
	}
	for i := range p.voices {
		p.voices[i].Provider = o.Provider
		p.voices[i].ID = service.VoiceID(o.Provider, p.voices[i].Native)
	}
	if o.Client != nil {
		p.client = *o.Client
	}
	// A redirect could carry texts to another host.
	p.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return p, nil
}

// Voices returns the configured voices, or OpenAI's.
func (p *Provider) Voices(context.Context) ([]service.Voice, error) { return p.voices, nil }

// Speak requests the turns one after another and joins their sounds. Errors beside those of Spoken: PROVIDER_BUSY for 429 and 503,
// 400 where the server refuses the text of a turn.
func (p *Provider) Speak(ctx context.Context, s service.Speech) (audio.Buffer, error) {
	turns, err := providers.Spoken(s)
	if err != nil {
		return audio.Buffer{}, err
	}
	budget := budget{bytes: maxBytes, duration: maxDuration}
	sounds := make([]audio.Buffer, 0, len(turns))
	for _, turn := range split(turns) {
		sound, err := p.turn(ctx, turn, s.Settings.Speed, &budget)
		if err != nil {
			return audio.Buffer{}, fmt.Errorf("speak with %s: %w", p.options.Provider, err)
		}
		sounds = append(sounds, sound)
	}
	return providers.Join(sounds)
}

// turn returns the sound of one turn.
func (p *Provider) turn(ctx context.Context, turn service.Turn, speed float64, left *budget) (audio.Buffer, error) {
	ctx, cancel := context.WithTimeout(ctx, p.options.Timeout)
	defer cancel()
	a, err := p.request(ctx, turn, speed, left.bytes)
	if err != nil {
		return audio.Buffer{}, err
	}
	left.bytes -= int64(len(a.body))
	sound, err := p.decode(ctx, a, left.duration)
	if err != nil {
		return audio.Buffer{}, err
	}
	left.duration -= sound.Duration()
	return sound, nil
}

// budget is what the answers to one call may still have together.
type budget struct {
	bytes    int64
	duration time.Duration
}

// The longest text at the lowest speed is about 23 minutes of speech.
const (
	maxBytes    = 128 << 20
	maxDuration = 30 * time.Minute
)

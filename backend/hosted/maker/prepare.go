package maker

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/speech"
	"github.com/voicewright/voicewright/backend/text"
)

// Client speaks with the voices of the hosted service.
type Client interface {
	// Voice returns a voice with its model, for an empty model the default one. Errors: hosted_voice_not_found, model_unknown,
	// those of the service.
	Voice(ctx context.Context, id, model string) (backend.HostedVoice, backend.HostedModel, error)
	// Limit returns how many code points a model takes in one call.
	Limit(model string) int
	// Quote returns the price of speeches together. accepted is the price that the user has accepted.
	Quote(ctx context.Context, speeches []backend.HostedSpeech, accepted *int64) (backend.HostedQuote, error)
	// Check applies the rules of the service to speeches together before the first call is made.
	Check(ctx context.Context, speeches []backend.HostedSpeech, accepted *int64) error
	// Speak returns the audio of each text, or of the dialogue, also after an earlier attempt of the same generation, whose paid
	// parts it does not pay again. The bill is right after an error too.
	Speak(
		ctx context.Context, h backend.HostedSpeech, progress func(done, total int, wait *backend.Wait),
	) ([]backend.HostedAudio, backend.HostedBill, error)
	// Received returns the audio of the texts whose parts are stored, up to the first one that is missing.
	Received(ctx context.Context, h backend.HostedSpeech) ([]backend.HostedAudio, error)
	// Unpaid returns what Speak would pay for.
	Unpaid(ctx context.Context, h backend.HostedSpeech) (backend.HostedSpeech, error)
	// FetchPaid stores the paid audio of a generation that was not fetched, and pays nothing. The bill is right after an error too.
	FetchPaid(ctx context.Context, generation string) (backend.HostedBill, error)
	// Pending returns the generations with paid audio that was not fetched.
	Pending(ctx context.Context) ([]string, error)
	// Forget removes the parts of a generation.
	Forget(ctx context.Context, generation string) error
	// PreviewFile returns the path of the service's own preview of a voice.
	PreviewFile(ctx context.Context, voice string) (string, error)
}

// hostedDevice is the device in the receipt of a hosted generation.
const hostedDevice = "hosted"

// The formats that are asked for: MP3 is kept as it is received, all else is made from samples.
const (
	hostedMP3 = "mp3_44100_128"
	hostedPCM = "pcm_24000"
)

// Prepare returns the job of a request for a hosted voice.
func (s *Maker) Prepare(ctx context.Context, r generations.Request, profile backend.Profile) (*generations.Job, error) {
	id, model, _ := generations.HostedVoice(r, profile)
	v, m, err := s.o.Client.Voice(ctx, id, model)
	if err != nil {
		return nil, err
	}
	return s.hostedJob(ctx, r, profile, v, m.ID)
}

// Quote returns the price of speeches together.
func (s *Maker) Quote(ctx context.Context, speeches []backend.HostedSpeech, accepted *int64) (backend.HostedQuote, error) {
	return s.o.Client.Quote(ctx, speeches, accepted)
}

// hostedPlan returns the job of a request with a hosted voice.
func (s *Maker) hostedJob(
	ctx context.Context, r generations.Request, profile backend.Profile, v backend.HostedVoice, model string,
) (*generations.Job, error) {
	if err := r.Hosted.Check(); err != nil {
		return nil, err
	}
	format, wanted := hostedFormat(r)
	if format != receivedAs(wanted) && format != backend.FormatWAV {
		if err := s.o.Encoder.Ready(ctx, format); err != nil {
			return nil, err
		}
	}
	h := &generations.HostedPlan{Speech: backend.HostedSpeech{
		Voice: v, Model: model, Options: *cmp.Or(r.Hosted, new(backend.HostedOptions{})), Title: strings.TrimSpace(r.Title),
		AcceptCredits: r.AcceptCredits, Speed: *cmp.Or(r.Speed, new(cmp.Or(profile.Speed, 1))),
		Donors: r.Donors,
	}}
	h.Speech.Options.ResponseFormat = wanted
	if model == backend.HostedV3 {
		h.Speech.Speed = 1
	}
	language := cmp.Or(r.Language, v.Language)
	if err := s.writeHosted(ctx, h, r, language); err != nil {
		return nil, err
	}
	seed := *cmp.Or(r.Seed, new(int64(-1)))
	if seed < 0 {
		seed = s.o.NewSeed()
	}
	r.Verify = nil
	j := generations.NewJob(backend.Generation{
		ID: s.o.NewID(), ProfileID: profile.ID, ProfileName: profile.Name, Text: strings.TrimSpace(r.Text), Language: language,
		Seed: seed, CreatedAt: s.o.Now().UTC().Truncate(time.Millisecond), Status: backend.StatusQueued,
		Format: format, ModelName: model, Engine: backend.HostedEngine, Voice: v.ID, Speed: h.Speech.Speed,
		Source: backend.SourceHosted, Title: h.Speech.Title, ParentID: r.ParentID,
		Chunks: []backend.Chunk{}, Request: r.Stored(nil, &v),
	})
	j.Hosted, j.Maker = h, s
	h.Of(j.Row.ID)
	return j, nil
}

// hostedFormat returns the format of the file of a request, and the one that is asked of the service.
func hostedFormat(r generations.Request) (format, wanted string) {
	if r.Hosted != nil {
		wanted = r.Hosted.ResponseFormat
	}
	switch {
	case r.Format == "" && wanted == "", r.Format == backend.FormatMP3 && wanted == "":
		return backend.FormatMP3, hostedMP3
	case r.Format == "":
		return receivedAs(wanted), wanted
	}
	return r.Format, cmp.Or(wanted, hostedPCM)
}

// receivedAs returns the format of a file in which a format of the service is kept.
func receivedAs(wanted string) string {
	if strings.HasPrefix(wanted, "mp3") {
		return backend.FormatMP3
	}
	return backend.FormatWAV
}

// writeHosted sets what is sent: the text without our markup, or the lines of a dialogue.
func (s *Maker) writeHosted(ctx context.Context, h *generations.HostedPlan, r generations.Request, language string) error {
	words, err := s.synth.Pronunciations(ctx, language)
	if err != nil {
		return err
	}
	o := text.VerbatimOptions{
		SpeakOptions: text.SpeakOptions{
			Language: language, Pronunciations: words, OwnPronunciations: speech.OwnWords(r.Pronunciations),
		},
		AnyTag: h.Speech.Model == backend.HostedV3,
		Limit:  s.o.Client.Limit(h.Speech.Model),
		Former: r.Former,
	}
	if len(o.Former) == 0 {
		o.Former = s.passagesOf(ctx, r.Donors)
	}
	if len(r.Dialogue) > 0 {
		return writeDialogue(h, r.Dialogue, o)
	}
	h.Script = text.Verbatim(strings.TrimSpace(r.Text), o)
	if len(h.Script.Parts) == 0 {
		return speech.ErrNothing
	}
	pauses := h.Script.End
	for _, p := range h.Script.Parts {
		pauses += p.Pause
		h.Speech.Texts = append(h.Speech.Texts, backend.HostedText{Text: p.Text, Pause: p.Pause})
	}
	if pauses > speech.MaxPauses {
		return speech.ErrPauses
	}
	return nil
}

// passagesOf returns the texts of donors, so that passages that are still in a text stay passages, and are not paid again. What cannot be
// read is left out.
func (s *Maker) passagesOf(ctx context.Context, donors []string) (texts []string) {
	for _, id := range donors {
		if g, err := s.o.Store.Generation(ctx, id); err == nil && g.Source == backend.SourceHosted && g.Receipt != nil {
			for _, c := range g.Receipt.Chunks {
				texts = append(texts, c.Text)
			}
		}
	}
	return texts
}

// ownChecks is how long the checks before the row may take; the rest of them is made with the call.
const ownChecks = 2 * time.Second

// Check applies the rules of the service to speeches together. Where the service does not answer in time, the user is asked for the
// price at least; the rest is checked with each call.
func (s *Maker) Check(ctx context.Context, accepted *int64, speeches []backend.HostedSpeech) error {
	limited, cancel := context.WithTimeout(ctx, ownChecks)
	defer cancel()
	err := s.o.Client.Check(limited, speeches, accepted)
	switch code := backend.CodeOf(err); {
	case errors.Is(err, context.DeadlineExceeded), code == backend.CodeCancelled,
		code == backend.CodeHostedUnreachable, code == backend.CodeHostedBadAnswer, code == backend.CodeHostedAnswerLost:
		return s.checkPrice(ctx, speeches, accepted)
	default:
		return err
	}
}

// checkPrice refuses speeches whose price the user wants to be asked for.
func (s *Maker) checkPrice(ctx context.Context, speeches []backend.HostedSpeech, accepted *int64) error {
	q, err := s.o.Client.Quote(ctx, speeches, accepted)
	if err != nil || !q.Ask {
		return err
	}
	return backend.E(backend.CodeHostedConfirm, "The price is one before which you want to be asked.",
		"Accept the price, or raise the setting hosted.ask_credits.").With("credits", q.Credits).With("accepted", accepted)
}

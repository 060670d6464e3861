package httpapi

import (
	"context"
	"errors"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/httpapi/events"
	"github.com/voicewright/voicewright/backend/studio"
)

type generationOutput struct {
	Status  int
	Applied string `header:"Preference-Applied" doc:"the preference that was applied"`
	Body    Generation
}

type generateRequest struct {
	ProfileID string `json:"profile_id" doc:"UUID of the voice profile"`
	Text      string `json:"text" minLength:"1" doc:"1 to 200,000 characters after trimming"`
	backend.GenerateOptions
}

func (b generateRequest) request() generations.Request {
	return requestOf(b.ProfileID, b.Text, b.GenerateOptions)
}

// requestOf returns options as a request for a text.
func requestOf(profileID, text string, o backend.GenerateOptions) generations.Request {
	return generations.Request{ProfileID: canonicalID(profileID), Text: text, GenerateOptions: o}
}

type generateInput struct {
	PreferHeader
	Body generateRequest
}

// PreferHeader is the header Prefer of a request; it is exported for huma.
type PreferHeader struct {
	Prefer string `header:"Prefer" doc:"respond-async: respond immediately with 202"`
}

// respondAsync is the preference for a response before the work is done (RFC 7240).
const respondAsync = "respond-async"

// Resolve joins all Prefer headers (RFC 7240, section 2).
func (in *PreferHeader) Resolve(c huma.Context) []error {
	r, _ := humago.Unwrap(c)
	in.Prefer = strings.Join(r.Header.Values("Prefer"), ",")
	return nil
}

func async(prefer string) bool {
	for part := range strings.SplitSeq(prefer, ",") {
		token, _, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(token), respondAsync) {
			return true
		}
	}
	return false
}

// generationHandlers are the routes of one generation: it is made, followed, ended, repeated and changed.
type generationHandlers struct {
	*responder
	speech    *studio.Studio
	events    *events.Streams
	links     *Links
	inHistory bool // it is also in the history
}

func (h *generationHandlers) routes(r *router) {
	if h.speech == nil {
		return
	}
	post(r, "/generate", "generate", "Generate speech from a text", h.generate, accepts("Generation"))
	post(r, "/generate/stream", "generate-stream", "Generate speech and stream it while it is generated", h.stream,
		returnsFile("audio/wav", "audio/pcm"))
	get(r, "/generate/{generation_id}", "generation-state", "Generation progress", h.generation)
	if h.inHistory {
		get(r, "/history/{generation_id}", "history-item", "Get a generation", h.generation)
	}
	r.file("/generate/{generation_id}/events", "generation-events", "Generation progress as server-sent events",
		h.generationEvents, eventStream)
	get(r, "/generate/{generation_id}/live", "generation-live", "Audio of a running generation while it is made", h.live,
		returnsFile("audio/pcm"), returnsNothing("There is no more: the generation is complete, and at `audio_url`"),
		describe("16-bit little-endian samples of the rate and channels in X-Sample-Rate and X-Channels, from `from` on, until the "+
			"generation ends. Of one whose text is changed it is the new version, up to the first passage that is not made yet; X-New-From says "+
			"where its first new passage begins, in seconds. Of one that was stopped or failed it is what is finished, up to the first passage "+
			"that is missing. Of a complete one: 204. Of others: 409 `not_in_progress`."))
	get(r, "/generate/{generation_id}/live/peaks", "generation-live-peaks", "Peaks of a running generation for a waveform", h.livePeaks)
	post(r, "/generate/{generation_id}/cancel", "cancel-generation", "Cancel a generation", h.cancelGeneration)
	post(r, "/generate/{generation_id}/stop", "stop-generation", "Stop a generation, and store its finished chunks for a retry",
		h.stopGeneration)
	post(r, "/generate/{generation_id}/retry", "retry-generation", "Retry a failed or cancelled generation", h.retryGeneration,
		status(http.StatusAccepted))
	post(r, "/generate/{generation_id}/regenerate", "regenerate", "Regenerate a text as a new generation", h.regenerate,
		status(http.StatusAccepted))
	post(r, "/generate/{generation_id}/revise", "revise", "Change the text of a generation; only new passages are spoken", h.revise,
		status(http.StatusAccepted), alsoReturns(http.StatusOK, "With `dry_run`: what would change", "RevisedGeneration"))
	post(r, "/generate/{generation_id}/revise/undo", "undo-revise", "Undo the last change of the text of a generation", h.undoRevise)
	post(r, "/generate/{generation_id}/level", "level", "Level the audio of a generation again", h.level)
}

func (h *generationHandlers) generate(ctx context.Context, in *generateInput) (*generationOutput, error) {
	if err := checkWords(in.Body.Pronunciations); err != nil {
		return nil, err
	}
	if async(in.Prefer) {
		g, err := h.speech.Generations.Submit(ctx, in.Body.request())
		out, err := h.links.generation(http.StatusAccepted, g, err)
		if err == nil {
			out.Applied = respondAsync
		}
		return out, err
	}
	g, err := h.speech.Generations.Generate(ctx, in.Body.request())
	return h.links.generation(http.StatusOK, g, err)
}

func (l *Links) generation(status int, g backend.Generation, err error) (*generationOutput, error) {
	if err != nil {
		return nil, err
	}
	return &generationOutput{Status: status, Body: l.generationView(g)}, nil
}

type streamInput struct {
	Accept string `header:"Accept" doc:"audio/pcm for raw 16-bit little-endian samples, else audio/wav"`
	Body   generateRequest
}

// stream sends audio while it is generated. The status is sent with the first audio, so that an earlier failure has its own
// status.
func (h *generationHandlers) stream(ctx context.Context, in *streamInput) (*huma.StreamResponse, error) {
	if err := checkWords(in.Body.Pronunciations); err != nil {
		return nil, err
	}
	st, err := h.speech.Generations.Player.Stream(ctx, in.Body.request())
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		defer func() { _ = st.Close() }() // it deletes a temporary file; the client is not affected
		raw := wantsPCM(in.Accept)
		c.SetHeader("X-Generation-Id", st.Generation.ID)
		c.SetHeader("X-Sample-Rate", strconv.Itoa(st.Rate))
		c.SetHeader("X-Channels", strconv.Itoa(st.Channels))
		c.SetHeader("Cache-Control", "no-store")
		c.SetHeader("Content-Type", "audio/wav")
		if raw {
			c.SetHeader("Content-Type", "audio/pcm")
		}
		c.SetStatus(http.StatusOK)
		w := flushing{c.BodyWriter()}
		if !raw {
			_, _ = w.Write(audio.WAVHeader(st.Rate, st.Channels, streamedSize)) // an error is reported again below
		}
		if err := st.WriteTo(ctx, w); err != nil {
			// The status has been sent; only a broken connection can still show that the audio is incomplete.
			panic(http.ErrAbortHandler)
		}
	}}, nil
}

// streamedSize is the size in the header of a WAV of unknown length.
const streamedSize = 0xFFFFFFFF - 36

// flushing flushes after every write.
type flushing struct {
	w interface{ Write([]byte) (int, error) }
}

func (f flushing) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	if flusher, ok := f.w.(http.Flusher); ok && err == nil {
		flusher.Flush()
	}
	return n, err
}

// GenerationPath is the id of a generation in a path. It is exported because huma ignores embedded structs that
// are not, like other types "exported for huma".
type GenerationPath struct {
	ID ID `path:"generation_id"`
}

func (h *generationHandlers) generation(ctx context.Context, in *GenerationPath) (*generationOutput, error) {
	g, err := h.speech.Generations.Generation(ctx, string(in.ID))
	out, err := h.links.generation(http.StatusOK, g, err)
	if err == nil && g.AudioPath != "" {
		_, statErr := os.Stat(g.AudioPath)
		out.Body.AudioMissing = errors.Is(statErr, fs.ErrNotExist)
	}
	return out, err
}

func (h *generationHandlers) cancelGeneration(ctx context.Context, in *GenerationPath) (*generationOutput, error) {
	g, err := h.speech.Generations.Cancel(ctx, string(in.ID))
	return h.links.generation(http.StatusOK, g, err)
}

func (h *generationHandlers) stopGeneration(ctx context.Context, in *GenerationPath) (*generationOutput, error) {
	g, err := h.speech.Generations.Stop(ctx, string(in.ID))
	return h.links.generation(http.StatusOK, g, err)
}

type retryInput struct {
	GenerationPath
	Body *retryRequest
}

type retryRequest struct {
	AcceptCredits *int64 `json:"accept_credits,omitempty" minimum:"0" doc:"the price of what a hosted voice still has to speak that the user accepted"`
}

func (h *generationHandlers) retryGeneration(ctx context.Context, in *retryInput) (*generationOutput, error) {
	var accept *int64
	if in.Body != nil {
		accept = in.Body.AcceptCredits
	}
	g, err := h.speech.Generations.Retry(ctx, string(in.ID), accept)
	return h.links.generation(http.StatusAccepted, g, err)
}

type regenerateInput struct {
	GenerationPath
	Body *regenerateRequest
}

type regenerateRequest struct {
	Seed *int64 `json:"seed,omitempty" minimum:"0" maximum:"2147483647"`

	AcceptCredits *int64 `json:"accept_credits,omitempty" minimum:"0" doc:"the price of a hosted voice that the user accepted"`
}

func (h *generationHandlers) regenerate(ctx context.Context, in *regenerateInput) (*generationOutput, error) {
	var seed, accept *int64
	if in.Body != nil {
		seed, accept = in.Body.Seed, in.Body.AcceptCredits
	}
	g, err := h.speech.Generations.Regenerate(ctx, string(in.ID), seed, accept)
	return h.links.generation(http.StatusAccepted, g, err)
}

func (h *generationHandlers) generationEvents(w http.ResponseWriter, r *http.Request) {
	id, err := pathID(r, "generation_id")
	if err == nil {
		err = h.events.ServeGeneration(w, r, id, func(ctx context.Context) (backend.Generation, error) {
			return h.speech.Generations.Generation(ctx, id)
		})
	}
	if err != nil {
		h.fail(w, r, err)
	}
}

// wantsPCM reports whether raw samples are preferred to a WAV file (RFC 9110, section 12.5.1).
func wantsPCM(accept string) bool {
	raw, wav := 0.0, 0.0
	for part := range strings.SplitSeq(accept, ",") {
		kind, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		q := 1.0
		if given, err := strconv.ParseFloat(params["q"], 64); err == nil {
			q = given
		}
		switch kind {
		case "audio/pcm":
			raw = max(raw, q)
		case "audio/wav", "audio/*", "*/*":
			wav = max(wav, q)
		}
	}
	return raw > wav
}

package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/speech"
)

// livePatience is how long a listener may read nothing before it is disconnected. It can go on by `from`.
const livePatience = time.Minute

type liveInput struct {
	GenerationPath
	From    float64 `query:"from" minimum:"0" maximum:"1000000" doc:"seconds from the start; absent: 0"`
	Seconds float64 `query:"seconds" minimum:"0" maximum:"1000000" doc:"at most this many seconds; absent: to the end"`
}

// live sends the audio of a running generation. It can be followed by any number of listeners; none of them affects it. There is
// no more of one that is complete: it may have ended between two parts that a listener requests.
func (h *generationHandlers) live(ctx context.Context, in *liveInput) (*huma.StreamResponse, error) {
	l, err := h.speech.Generations.Player.Live(ctx, string(in.ID), in.From, in.Seconds)
	if errors.Is(err, generations.ErrComplete) {
		return &huma.StreamResponse{Body: func(c huma.Context) { c.SetStatus(http.StatusNoContent) }}, nil
	}
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		defer func() { _ = l.Close() }() // it deletes a temporary file; the client is not affected
		c.SetHeader("X-Sample-Rate", strconv.Itoa(l.Rate))
		c.SetHeader("X-Channels", strconv.Itoa(l.Channels))
		c.SetHeader("X-New-From", strconv.FormatFloat(l.NewFrom, 'f', 3, 64))
		c.SetHeader("Cache-Control", "no-store")
		c.SetHeader("Content-Type", "audio/pcm")
		c.SetStatus(http.StatusOK)
		_, w := humago.Unwrap(c)
		out := &patient{flushing{w}, http.NewResponseController(w)}
		if err := l.WriteTo(ctx, out); err != nil {
			// The status has been sent; only a broken connection can still show that the audio is incomplete.
			panic(http.ErrAbortHandler)
		}
		_ = out.control.SetWriteDeadline(time.Time{})
	}}, nil
}

// patient writes to a listener, and fails when it reads nothing for livePatience.
type patient struct {
	flushing
	control *http.ResponseController
}

// Write sends p at once.
func (w *patient) Write(p []byte) (int, error) {
	_ = w.control.SetWriteDeadline(time.Now().Add(livePatience)) // writers of tests have none
	return w.flushing.Write(p)
}

type livePeaksInput struct {
	GenerationPath
	From float64 `query:"from" minimum:"0" maximum:"1000000" doc:"seconds from the start; absent: 0"`
}

type livePeaksOutput struct {
	Body struct {
		Seconds   float64      `json:"seconds" doc:"of all audio so far"`
		From      float64      `json:"from" doc:"where the first peak begins, in seconds"`
		PerSecond int          `json:"per_second" doc:"peaks in a second"`
		Peaks     [][2]float32 `json:"peaks" doc:"lowest and highest sample of each complete part; request the rest from where these end"`
		Chunks    []liveChunk  `json:"chunks" doc:"the chunks that end after from"`
	} `nameHint:"LivePeaks"`
}

type liveChunk struct {
	Start float64 `json:"start" doc:"seconds"`
	End   float64 `json:"end" doc:"seconds; of the last chunk, what is spoken of it"`
	Text  string  `json:"text,omitempty" doc:"of one whose text is changed; absent otherwise"`
}

func (h *generationHandlers) livePeaks(ctx context.Context, in *livePeaksInput) (*livePeaksOutput, error) {
	p, err := h.speech.Generations.Player.LivePeaks(ctx, string(in.ID), in.From)
	if err != nil && !errors.Is(err, generations.ErrComplete) { // then there are none
		return nil, err
	}
	out := &livePeaksOutput{}
	out.Body.Seconds, out.Body.From, out.Body.PerSecond = p.Seconds, p.From, speech.PeaksPerSecond
	out.Body.Peaks, out.Body.Chunks = pairs(p.Peaks), make([]liveChunk, len(p.Chunks))
	for i, c := range p.Chunks {
		out.Body.Chunks[i] = liveChunk(c)
	}
	return out, nil
}

package httpapi

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/httpapi/openai"
	"github.com/voicewright/voicewright/backend/transcribe"
)

type openAITranscriptionInput struct {
	Body openAITranscriptionRequest `required:"true" nameHint:"OpenAITranscriptionRequest"`
}

type openAITranscriptionRequest struct {
	Model          string     `json:"model,omitempty" maxLength:"64" doc:"a model name, or whisper-1 and its like for the default"`
	Language       string     `json:"language,omitempty" maxLength:"35" doc:"BCP 47; default: detected"`
	Prompt         string     `json:"prompt,omitempty" maxLength:"4000"`
	ResponseFormat string     `json:"response_format,omitempty" doc:"json (default), text, srt, verbose_json, diarized_json or vtt, in any case"`
	Granularities  timestamps `json:"timestamp_granularities,omitempty" doc:"segment and word, for verbose_json"`
	Stream         bool       `json:"stream,omitempty"`
}

func (h *openAIHandlers) openAITranscription(ctx context.Context, in *openAITranscriptionInput) (*huma.StreamResponse, error) {
	return h.openAITranscript(ctx, in.Body, false)
}

func (h *openAIHandlers) openAITranslation(ctx context.Context, in *openAITranscriptionInput) (*huma.StreamResponse, error) {
	in.Body.Language = "" // of the text, which is English
	return h.openAITranscript(ctx, in.Body, true)
}

func (h *openAIHandlers) openAITranscript(ctx context.Context, b openAITranscriptionRequest, translate bool) (*huma.StreamResponse, error) {
	file := uploadOf(ctx)
	if file.path == "" {
		return nil, backend.Invalid("missing", "Field required", "body", "file")
	}
	words, err := b.Granularities.words()
	if err != nil {
		return nil, backend.Invalid("enum", "Input should be one of: segment, word", "body", "timestamp_granularities")
	}
	format, err := openai.ChoiceOf("response_format", b.ResponseFormat, "json", "json", "text", "srt", "verbose_json", "vtt", diarizedJSON)
	if err != nil {
		return nil, err
	}
	file.taken = true
	who := &backend.SpeakerOptions{Mode: backend.SpeakersOff}
	if format == diarizedJSON {
		who.Mode = backend.SpeakersAuto
	}
	t, err := h.transcriptions.Transcribe(ctx, transcribe.Request{
		TranscribeOptions: backend.TranscribeOptions{
			ModelName: openai.TranscriptionModelNamed(b.Model, h.hasModel),
			Language:  b.Language, Translate: translate, Words: words, Prompt: b.Prompt,
			Speakers: who,
		},
		Source: backend.TranscriptOfFile, Path: file.path, FileName: file.name, Temporary: true,
		NeedSpeakers: format == diarizedJSON,
	})
	if err != nil {
		return nil, err
	}
	if b.Stream {
		return openAIBody(eventType, func(w io.Writer) error { return sendTextEvents(w, t) }), nil
	}
	switch format {
	case "json":
		return openAIJSON(openAIText{t.Text, openAIUsage(t)}), nil
	case diarizedJSON:
		return openAIJSON(diarizedText(t)), nil
	case "verbose_json":
		return openAIJSON(verboseText(t, translate, b.Granularities)), nil
	case "text":
		return openAIBody("text/plain; charset=utf-8", func(w io.Writer) error {
			_, err := io.WriteString(w, t.Text+"\n")
			return err
		}), nil
	default: // srt, vtt
		return openAIBody(exportTypes["."+format], func(w io.Writer) error {
			return transcribe.Write(w, t, format, transcribe.Style{})
		}), nil
	}
}

// openAIBody responds with what write writes.
func openAIBody(contentType string, write func(io.Writer) error) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(c huma.Context) {
		c.SetHeader("Content-Type", contentType)
		c.SetHeader("Cache-Control", "no-store")
		c.SetStatus(http.StatusOK)
		if err := write(flushing{c.BodyWriter()}); err != nil {
			panic(http.ErrAbortHandler) // the status has been sent
		}
	}}
}

func openAIJSON(body any) *huma.StreamResponse {
	return openAIBody(jsonType, func(w io.Writer) error {
		var out bytes.Buffer
		if err := huma.DefaultJSONFormat.Marshal(&out, body); err != nil {
			return err
		}
		_, err := out.WriteTo(w)
		return err
	})
}

// diarizedJSON is the format that says who speaks.
const diarizedJSON = "diarized_json"

// openAIDiarized is a transcript as diarized_json.
type openAIDiarized struct {
	Task     string          `json:"task"`
	Duration float64         `json:"duration"`
	Text     string          `json:"text"`
	Segments []openAISpeaker `json:"segments"`
	Usage    map[string]any  `json:"usage"`
}

type openAISpeaker struct {
	Type    string  `json:"type"`
	ID      string  `json:"id"`
	Start   float64 `json:"start"`
	End     float64 `json:"end"`
	Text    string  `json:"text"`
	Speaker string  `json:"speaker"`
}

// diarizedText returns a transcript with the speaker of each segment.
func diarizedText(t backend.Transcript) openAIDiarized {
	return openAIDiarized{
		Task: "transcribe", Duration: t.Duration, Text: t.Text, Usage: openAIUsage(t),
		Segments: mapAll(t.Segments, func(s backend.Segment) openAISpeaker {
			return openAISpeaker{"transcript.text.segment", "seg_" + strconv.Itoa(s.ID), s.Start, s.End, s.Text, s.Speaker}
		}),
	}
}

// openAIText is a transcript as json.
type openAIText struct {
	Text  string         `json:"text"`
	Usage map[string]any `json:"usage"`
}

// openAIUsage returns what a transcription used; nothing is billed.
func openAIUsage(t backend.Transcript) map[string]any {
	return map[string]any{"type": "duration", "seconds": t.Duration}
}

// openAIVerbose is a transcript as verbose_json.
type openAIVerbose struct {
	Task     string          `json:"task"`
	Language string          `json:"language"` // BCP 47
	Duration float64         `json:"duration"`
	Text     string          `json:"text"`
	Segments []openAISegment `json:"segments,omitempty"`
	Words    []openAIWord    `json:"words,omitempty"`
	Usage    map[string]any  `json:"usage"`
}

type openAISegment struct {
	ID               int     `json:"id"`
	Seek             int     `json:"seek"`
	Start            float64 `json:"start"`
	End              float64 `json:"end"`
	Text             string  `json:"text"`
	Tokens           []int   `json:"tokens"` // always empty
	Temperature      float64 `json:"temperature"`
	AvgLogprob       float64 `json:"avg_logprob"`
	CompressionRatio float64 `json:"compression_ratio"`
	NoSpeechProb     float64 `json:"no_speech_prob"`
}

type openAIWord struct {
	Word  string  `json:"word"`
	Start float64 `json:"start"`
	End   float64 `json:"end"`
}

// verboseText returns a transcript with the requested times: segments unless only words are requested.
func verboseText(t backend.Transcript, translated bool, times timestamps) openAIVerbose {
	out := openAIVerbose{Task: "transcribe", Language: t.Language, Duration: t.Duration, Text: t.Text, Usage: openAIUsage(t)}
	if translated {
		out.Task = "translate"
	}
	for _, s := range t.Segments {
		if len(times) == 0 || slices.Contains(times, "segment") {
			out.Segments = append(out.Segments, openAISegment{
				ID: s.ID, Start: s.Start, End: s.End, Text: s.Text, Tokens: []int{}, NoSpeechProb: s.NoSpeechProb,
			})
		}
		for _, word := range s.Words {
			out.Words = append(out.Words, openAIWord{strings.TrimSpace(word.Word), word.Start, word.End})
		}
	}
	return out
}

// sendTextEvents sends a transcript as OpenAI's events.
func sendTextEvents(w io.Writer, t backend.Transcript) error {
	remaining := t.Text
	for _, s := range t.Segments {
		line := strings.TrimSpace(s.Text)
		if i := strings.Index(remaining, line); i >= 0 && line != "" {
			event := map[string]any{"type": "transcript.text.delta", "delta": remaining[:i+len(line)]}
			if err := sendOpenAIEvent(w, event); err != nil {
				return err
			}
			remaining = remaining[i+len(line):]
		}
	}
	return sendOpenAIEvent(w, map[string]any{"type": "transcript.text.done", "text": t.Text, "usage": openAIUsage(t)})
}

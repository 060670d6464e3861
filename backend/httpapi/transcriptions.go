package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/transcribe"
)

// transcriptEvent is the name of the event for changed transcripts.
const transcriptEvent = "transcription"

type transcriptOutput struct {
	Status  int
	Applied string `header:"Preference-Applied" doc:"the preference that was applied"`
	Body    Transcript
}

func (a *API) transcriptAnswer(status int, t backend.Transcript, err error) (*transcriptOutput, error) {
	if err != nil {
		return nil, err
	}
	out := &transcriptOutput{Status: status, Body: a.transcript(t)}
	if status == http.StatusAccepted {
		out.Applied = respondAsync
	}
	return out, nil
}

// transcriptionRequest is the body of a transcription; a form has the same fields and the file.
type transcriptionRequest struct {
	GenerationID ID         `json:"generation_id,omitempty" doc:"transcribe the audio of this generation"`
	RecordingID  ID         `json:"recording_id,omitempty" doc:"transcribe this recording of the microphone"`
	ModelName    string     `json:"model_name,omitempty" maxLength:"64" doc:"default: the setting transcribe.model"`
	Language     string     `json:"language,omitempty" maxLength:"35" doc:"BCP 47; auto, the default, detects it"`
	Translate    bool       `json:"translate,omitempty" doc:"translate into English"`
	Timestamps   timestamps `json:"timestamps,omitempty" doc:"segment, word or both, as a list or separated by commas; word adds the times of words"`
	VAD          *bool      `json:"vad,omitempty" doc:"true: only what is detected as speech; false: everything; default: everything but silence and noise"`
	Prompt       string     `json:"prompt,omitempty" maxLength:"4000" doc:"text that precedes the audio, such as names and their spelling"`
	Title        string     `json:"title,omitempty" maxLength:"200" doc:"default: the name of the file, or the title of the generation"`
	MayDownload
}

// MayDownload is the field of requests that need a transcription model; it is exported for huma.
type MayDownload struct {
	Download *bool `json:"download,omitempty" doc:"false: fail with model_not_downloaded, whose params name the model and its size, where the model is missing; default: it is downloaded"`
}

func (m MayDownload) refused() bool { return m.Download != nil && !*m.Download }

// timestamps are what gets times: segment and word, as a list or separated by commas.
type timestamps []string

// Schema implements huma.SchemaProvider.
func (timestamps) Schema(huma.Registry) *huma.Schema {
	text := &huma.Schema{Type: huma.TypeString}
	return &huma.Schema{AnyOf: []*huma.Schema{text, {Type: huma.TypeArray, Items: text}}}
}

// UnmarshalJSON reads both forms.
func (ts *timestamps) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) != nil {
		return json.Unmarshal(data, (*[]string)(ts))
	}
	for item := range strings.SplitSeq(text, ",") {
		*ts = append(*ts, strings.TrimSpace(item))
	}
	return nil
}

// words reports whether words get times.
func (ts timestamps) words() (bool, error) {
	for _, item := range ts {
		if item != "segment" && item != "word" {
			return false, backend.Invalid("enum", "Input should be one of: segment, word", "body", "timestamps")
		}
	}
	return slices.Contains(ts, "word"), nil
}

type transcriptionInput struct {
	PreferHeader
	Body transcriptionRequest `required:"true" nameHint:"TranscriptionRequest"`
}

func (in *transcriptionInput) request(file formFile) (transcribe.Request, error) {
	b := in.Body
	words, err := b.Timestamps.words()
	if err != nil {
		return transcribe.Request{}, err
	}
	r := transcribe.Request{
		TranscribeOptions: backend.TranscribeOptions{
			ModelName: b.ModelName, Language: b.Language, Translate: b.Translate, Words: words, Prompt: b.Prompt, VAD: b.VAD,
		},
		GenerationID: string(b.GenerationID), RecordingID: string(b.RecordingID), Title: b.Title,
		Path: file.path, FileName: file.name, Temporary: true, NoDownload: b.refused(),
	}
	given := 0
	for source, value := range map[backend.TranscriptSource]string{
		backend.TranscriptOfFile: file.path, backend.TranscriptOfGeneration: r.GenerationID, backend.TranscriptOfRecording: r.RecordingID,
	} {
		if value != "" {
			r.Source = source
			given++
		}
	}
	switch {
	case given > 1:
		return r, backend.Invalid("value_error", "Value error, give only one of file, generation_id and recording_id", "body")
	case given == 1:
		return r, nil
	case file.form:
		return r, backend.Invalid("missing", "Field required", "body", "file")
	default:
		return r, backend.Invalid("missing", "Field required", "body", "generation_id")
	}
}

func (a *API) createTranscription(ctx context.Context, in *transcriptionInput) (*transcriptOutput, error) {
	file := uploadOf(ctx)
	request, err := in.request(file.formFile)
	if err != nil {
		return nil, err
	}
	file.taken = true
	if async(in.Prefer) {
		t, err := a.opts.Transcriptions.Submit(ctx, request)
		return a.transcriptAnswer(http.StatusAccepted, t, err)
	}
	t, err := a.opts.Transcriptions.Transcribe(ctx, request)
	return a.transcriptAnswer(http.StatusOK, t, err)
}

type transcriptionsInput struct {
	Search string `query:"search" maxLength:"200" doc:"words and prefixes of words in text, title and speakers"`
	Status string `query:"status" enum:"queued,downloading_model,loading_model,transcribing,complete,failed,cancelled"`
	Paging
	Full bool `query:"full" doc:"whole text and segments of each transcript"`
}

type transcriptionsOutput struct {
	Body List[TranscriptRow] `nameHint:"Transcripts"`
}

func (a *API) transcriptions(ctx context.Context, in *transcriptionsInput) (*transcriptionsOutput, error) {
	list, err := a.opts.Store.Transcripts(ctx, backend.TranscriptFilter{
		Search: in.Search, Status: backend.Status(in.Status), Brief: !in.Full, Page: in.page(),
	})
	if err != nil {
		return nil, err
	}
	return &transcriptionsOutput{mapList(list, func(hit backend.TranscriptHit) TranscriptRow {
		row := a.transcriptRow(a.opts.Transcriptions.Overlay(hit.Transcript), in.Full)
		row.Highlight = hit.Highlight
		return row
	})}, nil
}

// TranscriptPath is the id of a transcript in a path; it is exported for huma.
type TranscriptPath struct {
	ID ID `path:"transcript_id"`
}

func (a *API) storedTranscript(ctx context.Context, in *TranscriptPath) (*transcriptOutput, error) {
	t, err := a.opts.Transcriptions.Transcript(ctx, string(in.ID))
	out, err := a.transcriptAnswer(http.StatusOK, t, err)
	if err == nil && t.AudioPath != "" {
		_, statErr := os.Stat(t.AudioPath)
		out.Body.AudioMissing = errors.Is(statErr, fs.ErrNotExist)
	}
	return out, err
}

type patchTranscriptInput struct {
	TranscriptPath
	Body struct {
		Title    *string         `json:"title,omitempty" maxLength:"200"`
		Segments []segmentChange `json:"segments,omitempty" maxItems:"10000"`
	} `nameHint:"TranscriptChanges"`
}

// segmentChange is a change of one segment.
type segmentChange struct {
	ID      int     `json:"id"`
	Text    *string `json:"text,omitempty" maxLength:"10000" doc:"empty: the segment is removed"`
	Speaker *string `json:"speaker,omitempty" maxLength:"100"`
}

func (a *API) patchTranscript(ctx context.Context, in *patchTranscriptInput) (*transcriptOutput, error) {
	t, err := a.opts.Transcriptions.Edit(ctx, string(in.ID), backend.TranscriptPatch{
		Title:    in.Body.Title,
		Segments: mapAll(in.Body.Segments, func(s segmentChange) backend.SegmentPatch { return backend.SegmentPatch(s) }),
	})
	return a.transcriptAnswer(http.StatusOK, t, err)
}

func (a *API) deleteTranscript(ctx context.Context, in *TranscriptPath) (*struct{}, error) {
	err := a.opts.Transcriptions.Delete(ctx, string(in.ID))
	a.publishChange(transcriptEvent, string(in.ID), err)
	return nil, err
}

func (a *API) cancelTranscription(ctx context.Context, in *TranscriptPath) (*transcriptOutput, error) {
	t, err := a.opts.Transcriptions.Cancel(ctx, string(in.ID))
	return a.transcriptAnswer(http.StatusOK, t, err)
}

func (a *API) undoTranscript(ctx context.Context, in *TranscriptPath) (*transcriptOutput, error) {
	t, err := a.opts.Transcriptions.Undo(ctx, string(in.ID))
	return a.transcriptAnswer(http.StatusOK, t, err)
}

type rerunInput struct {
	TranscriptPath
	PreferHeader
	Body *struct {
		From      float64  `json:"from,omitempty" minimum:"0" doc:"seconds; default: the start"`
		To        *float64 `json:"to,omitempty" doc:"seconds; default: the end"`
		ModelName string   `json:"model_name,omitempty" maxLength:"64" doc:"default: the same model"`
		Language  string   `json:"language,omitempty" maxLength:"35" doc:"BCP 47 or auto; default: as requested before"`
		Prompt    *string  `json:"prompt,omitempty" maxLength:"4000" doc:"text that precedes the audio, such as names and their spelling; default: as requested before"`
		MayDownload
	} `nameHint:"RerunRequest"`
}

func (in *rerunInput) request() (transcribe.RerunRequest, error) {
	if in.Body == nil {
		return transcribe.RerunRequest{}, nil
	}
	r := transcribe.RerunRequest{
		From: in.Body.From, ModelName: in.Body.ModelName, Language: in.Body.Language, Prompt: in.Body.Prompt,
		NoDownload: in.Body.refused(),
	}
	if in.Body.To != nil {
		r.To = *in.Body.To
		if r.To <= r.From {
			return r, backend.Invalid("greater_than", "Input should be greater than from", "body", "to")
		}
	}
	return r, nil
}

func (a *API) rerunTranscription(ctx context.Context, in *rerunInput) (*transcriptOutput, error) {
	request, err := in.request()
	if err != nil {
		return nil, err
	}
	if async(in.Prefer) {
		t, err := a.opts.Transcriptions.SubmitRerun(ctx, string(in.ID), request)
		return a.transcriptAnswer(http.StatusAccepted, t, err)
	}
	t, err := a.opts.Transcriptions.Rerun(ctx, string(in.ID), request)
	return a.transcriptAnswer(http.StatusOK, t, err)
}

func (a *API) transcriptEvents(w http.ResponseWriter, r *http.Request) {
	id, err := pathID(r, "transcript_id")
	if err == nil {
		err = a.opts.Events.ServeTranscript(w, r, id, func(ctx context.Context) (backend.Transcript, error) {
			return a.opts.Transcriptions.Transcript(ctx, id)
		})
	}
	if err != nil {
		a.fail(w, r, err)
	}
}

func (a *API) exportTranscript(w http.ResponseWriter, r *http.Request) {
	layout, err := oneOf(r, "layout", string(transcribe.LayoutSubtitles), transcribe.Layouts()...)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	a.sendExport(w, r, "transcript_id", backend.FormatText, backend.TranscriptFormats(),
		func(ctx context.Context, id, format string) (backend.ExportedFile, error) {
			return a.opts.Transcriptions.Export(ctx, id, format, transcribe.Layout(layout))
		})
}

type transcriptPeaksInput struct {
	TranscriptPath
	PeakCount
}

func (a *API) transcriptPeaks(ctx context.Context, in *transcriptPeaksInput) (*peaksOutput, error) {
	return peaksAnswer(a.opts.Transcriptions.Peaks(ctx, string(in.ID), in.N))
}

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
	"github.com/voicewright/voicewright/backend/httpapi/docs"
	"github.com/voicewright/voicewright/backend/httpapi/events"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/profiles"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/backend/transcribe"
)

type transcriptOutput struct {
	Status  int
	Applied string `header:"Preference-Applied" doc:"the preference that was applied"`
	Body    Transcript
}

// maxUpload is the maximum size of an uploaded recording in bytes: more than a day of audio in most formats.
const maxUpload = 8 << 30

// transcriptHandlers are the routes of transcripts.
type transcriptHandlers struct {
	*responder
	service *transcribe.Service
	store   Store
	models  *models.Manager
	speech  *studio.Studio
	forms   *forms
	events  *events.Streams
	links   *Links

	profiles *profiles.Service
}

func (h *transcriptHandlers) routes(r *router) {
	if h.service == nil || h.store == nil {
		return
	}
	post(r, "/transcriptions", "transcribe", "Transcribe a file, a recording or a generation", h.createTranscription,
		h.forms.acceptForm(maxUpload, "TranscriptionRequest"), accepts("Transcript"),
		describe("A form with the recording as the part `file`, of at most 8 GiB and of any kind that ffmpeg reads, or JSON. "+
			"The fields are the same; in a form `timestamps` may be repeated."))
	get(r, "/transcriptions", "transcriptions", "List or search the transcripts, newest first", h.transcriptions)
	if h.models != nil && h.speech != nil {
		get(r, "/transcriptions/model", "transcription-model", "Get the model that a transcription would use", h.transcriptionModel,
			describe("Where neither the request nor the user's settings name one, an installed model takes the place of a missing default."))
	}
	get(r, "/transcriptions/{transcript_id}", "transcript", "Get a transcript", h.storedTranscript)
	patch(r, "/transcriptions/{transcript_id}", "patch-transcript", "Change title, texts or speakers", h.patchTranscript)
	del(r, "/transcriptions/{transcript_id}", "delete-transcript", "Delete a transcript with its audio", h.deleteTranscript)
	r.file("/transcriptions/{transcript_id}/events", "transcript-events", "Progress of a transcription as server-sent events",
		h.transcriptEvents, eventStream)
	post(r, "/transcriptions/{transcript_id}/cancel", "cancel-transcription", "Cancel a transcription or a rerun", h.cancelTranscription)
	post(r, "/transcriptions/{transcript_id}/undo", "undo-transcript", "Undo the last edit or rerun", h.undoTranscript)
	post(r, "/transcriptions/{transcript_id}/rerun", "rerun-transcription", "Transcribe a part or all again", h.rerunTranscription,
		accepts("Transcript"), describe("A failed transcription is repeated from the start; so is a cancelled one whose audio is still stored."))
	h.speakerRoutes(r)
	get(r, "/transcriptions/{transcript_id}/peaks", "transcript-peaks", "Peaks of the audio for a waveform", h.transcriptPeaks)
	r.file("/transcriptions/{transcript_id}/export", "export-transcript", "Export a transcript", h.exportTranscript,
		returnsFile("text/plain", "application/x-subrip", "text/vtt", jsonType, "text/markdown", docxType),
		queryParam("format", "absent: txt", backend.TranscriptFormats()...),
		queryParam("layout", "of srt and vtt: by the rules of subtitles, or a cue for each segment; absent: subtitles", transcribe.Layouts()...),
		queryParam("times", "of md and docx: with the time of each paragraph; absent: true", "true", "false"))
}

func (h *transcriptHandlers) transcriptAnswer(status int, t backend.Transcript, err error) (*transcriptOutput, error) {
	if err != nil {
		return nil, err
	}
	out := &transcriptOutput{Status: status, Body: h.links.transcript(t)}
	if status == http.StatusAccepted {
		out.Applied = respondAsync
	}
	return out, nil
}

// transcriptionRequest is the body of a transcription; a form has the same fields and the file.
type transcriptionRequest struct {
	GenerationID ID              `json:"generation_id,omitempty" doc:"transcribe the audio of this generation"`
	RecordingID  ID              `json:"recording_id,omitempty" doc:"transcribe this recording of the microphone"`
	ModelName    string          `json:"model_name,omitempty" maxLength:"64" doc:"default: the setting transcribe.model"`
	Language     string          `json:"language,omitempty" maxLength:"35" doc:"BCP 47; auto, the default, detects it"`
	Translate    bool            `json:"translate,omitempty" doc:"translate into English"`
	Timestamps   timestamps      `json:"timestamps,omitempty" doc:"segment, word or both, as a list or separated by commas; word adds the times of words"`
	VAD          *bool           `json:"vad,omitempty" doc:"true: only what is detected as speech; false: everything; default: everything but silence and noise"`
	Prompt       string          `json:"prompt,omitempty" maxLength:"4000" doc:"text that precedes the audio, such as names and their spelling"`
	Speakers     *speakersOption `json:"speakers,omitempty" doc:"auto, channels, off, a number, or {mode, count, pace}; default: auto where the model Speakers is downloaded, else off"`
	Title        string          `json:"title,omitempty" maxLength:"200" doc:"default: the name of the file, or the title of the generation"`
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
	return docs.Words("segment", "word")
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
			Speakers: b.Speakers.options(),
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

func (h *transcriptHandlers) createTranscription(ctx context.Context, in *transcriptionInput) (*transcriptOutput, error) {
	file := uploadOf(ctx)
	request, err := in.request(file.formFile)
	if err != nil {
		return nil, err
	}
	file.taken = true
	if async(in.Prefer) {
		t, err := h.service.Submit(ctx, request)
		return h.transcriptAnswer(http.StatusAccepted, t, err)
	}
	t, err := h.service.Transcribe(ctx, request)
	return h.transcriptAnswer(http.StatusOK, t, err)
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

func (h *transcriptHandlers) transcriptions(ctx context.Context, in *transcriptionsInput) (*transcriptionsOutput, error) {
	list, err := h.store.Transcripts(ctx, backend.TranscriptFilter{
		Search: in.Search, Status: backend.Status(in.Status), Brief: !in.Full, Page: in.page(),
	})
	if err != nil {
		return nil, err
	}
	return &transcriptionsOutput{mapList(list, func(hit backend.TranscriptHit) TranscriptRow {
		row := h.links.transcriptRow(h.service.Overlay(hit.Transcript), in.Full)
		row.Highlight = hit.Highlight
		return row
	})}, nil
}

// TranscriptPath is the id of a transcript in a path; it is exported for huma.
type TranscriptPath struct {
	ID ID `path:"transcript_id"`
}

func (h *transcriptHandlers) storedTranscript(ctx context.Context, in *TranscriptPath) (*transcriptOutput, error) {
	t, err := h.service.Transcript(ctx, string(in.ID))
	out, err := h.transcriptAnswer(http.StatusOK, t, err)
	if err == nil && t.AudioPath != "" {
		_, statErr := os.Stat(t.AudioPath)
		out.Body.AudioMissing = errors.Is(statErr, fs.ErrNotExist)
	}
	return out, err
}

type patchTranscriptInput struct {
	TranscriptPath
	Body struct {
		Title    *string                `json:"title,omitempty" maxLength:"200"`
		Segments []segmentChange        `json:"segments,omitempty" maxItems:"10000"`
		Speakers []backend.SpeakerPatch `json:"speakers,omitempty" maxItems:"1000" doc:"new names, in all segments; that of another speaker makes both one"`
	} `nameHint:"TranscriptChanges"`
}

// segmentChange is a change of one segment.
type segmentChange struct {
	ID      int     `json:"id"`
	Text    *string `json:"text,omitempty" maxLength:"10000" doc:"empty: the segment is removed"`
	Speaker *string `json:"speaker,omitempty" maxLength:"100"`
}

func (h *transcriptHandlers) patchTranscript(ctx context.Context, in *patchTranscriptInput) (*transcriptOutput, error) {
	t, err := h.service.Edit(ctx, string(in.ID), backend.TranscriptPatch{
		Title:    in.Body.Title,
		Segments: mapAll(in.Body.Segments, func(s segmentChange) backend.SegmentPatch { return backend.SegmentPatch(s) }),
		Speakers: in.Body.Speakers,
	})
	return h.transcriptAnswer(http.StatusOK, t, err)
}

func (h *transcriptHandlers) deleteTranscript(ctx context.Context, in *TranscriptPath) (*struct{}, error) {
	err := h.service.Delete(ctx, string(in.ID))
	h.events.Changed(events.Transcription, string(in.ID), err)
	return nil, err
}

func (h *transcriptHandlers) cancelTranscription(ctx context.Context, in *TranscriptPath) (*transcriptOutput, error) {
	t, err := h.service.Cancel(ctx, string(in.ID))
	return h.transcriptAnswer(http.StatusOK, t, err)
}

func (h *transcriptHandlers) undoTranscript(ctx context.Context, in *TranscriptPath) (*transcriptOutput, error) {
	t, err := h.service.Undo(ctx, string(in.ID))
	return h.transcriptAnswer(http.StatusOK, t, err)
}

type rerunInput struct {
	TranscriptPath
	PreferHeader
	Body *struct {
		From      float64         `json:"from,omitempty" minimum:"0" doc:"seconds; default: the start"`
		To        *float64        `json:"to,omitempty" doc:"seconds; default: the end"`
		ModelName string          `json:"model_name,omitempty" maxLength:"64" doc:"default: the same model"`
		Language  string          `json:"language,omitempty" maxLength:"35" doc:"BCP 47 or auto; default: as requested before"`
		Prompt    *string         `json:"prompt,omitempty" maxLength:"4000" doc:"text that precedes the audio, such as names and their spelling; default: as requested before"`
		Speakers  *speakersOption `json:"speakers,omitempty" doc:"auto, channels, off, a number, or {mode, count, pace}; default: as requested before, for a part those that were found before"`
		MayDownload
	} `nameHint:"RerunRequest"`
}

func (in *rerunInput) request() (transcribe.RerunRequest, error) {
	if in.Body == nil {
		return transcribe.RerunRequest{}, nil
	}
	r := transcribe.RerunRequest{
		From: in.Body.From, ModelName: in.Body.ModelName, Language: in.Body.Language, Prompt: in.Body.Prompt,
		NoDownload: in.Body.refused(), Speakers: in.Body.Speakers.options(),
	}
	if in.Body.To != nil {
		r.To = *in.Body.To
		if r.To <= r.From {
			return r, backend.Invalid("greater_than", "Input should be greater than from", "body", "to")
		}
	}
	return r, nil
}

func (h *transcriptHandlers) rerunTranscription(ctx context.Context, in *rerunInput) (*transcriptOutput, error) {
	request, err := in.request()
	if err != nil {
		return nil, err
	}
	if async(in.Prefer) {
		t, err := h.service.SubmitRerun(ctx, string(in.ID), request)
		return h.transcriptAnswer(http.StatusAccepted, t, err)
	}
	t, err := h.service.Rerun(ctx, string(in.ID), request)
	return h.transcriptAnswer(http.StatusOK, t, err)
}

func (h *transcriptHandlers) transcriptEvents(w http.ResponseWriter, r *http.Request) {
	id, err := pathID(r, "transcript_id")
	if err == nil {
		err = h.events.ServeTranscript(w, r, id, func(ctx context.Context) (backend.Transcript, error) {
			return h.service.Transcript(ctx, id)
		})
	}
	if err != nil {
		h.fail(w, r, err)
	}
}

func (h *transcriptHandlers) exportTranscript(w http.ResponseWriter, r *http.Request) {
	layout, err := oneOf(r, "layout", string(transcribe.LayoutSubtitles), transcribe.Layouts()...)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	times, err := oneOf(r, "times", "true", "true", "false")
	if err != nil {
		h.fail(w, r, err)
		return
	}
	style := transcribe.Style{Layout: transcribe.Layout(layout), Untimed: times == "false"}
	h.sendExport(w, r, "transcript_id", backend.FormatText, backend.TranscriptFormats(),
		func(ctx context.Context, id, format string) (backend.ExportedFile, error) {
			return h.service.Export(ctx, id, format, style)
		})
}

type transcriptPeaksInput struct {
	TranscriptPath
	PeakCount
}

func (h *transcriptHandlers) transcriptPeaks(ctx context.Context, in *transcriptPeaksInput) (*peaksOutput, error) {
	return peaksAnswer(h.service.Peaks(ctx, string(in.ID), in.N))
}

package httpapi

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/backend/uploads"
)

type textPreviewInput struct {
	Body struct {
		Text           string               `json:"text" minLength:"1" doc:"1 to 200,000 characters after trimming"`
		ProfileID      string               `json:"profile_id,omitempty" doc:"UUID of the voice profile; default: the default voice"`
		Voice          string               `json:"voice,omitempty" maxLength:"200" doc:"MODEL:VOICE instead of the profile's voice"`
		Language       string               `json:"language,omitempty" maxLength:"35" doc:"BCP 47"`
		Speed          *float64             `json:"speed,omitempty" minimum:"0.25" maximum:"4"`
		ModelName      string               `json:"model_name,omitempty" maxLength:"64"`
		MaxChunkChars  *int                 `json:"max_chunk_chars,omitempty" minimum:"50" maximum:"5000"`
		CrossfadeMS    *int                 `json:"crossfade_ms,omitempty" minimum:"0" maximum:"500"`
		Pauses         backend.PauseOptions `json:"pauses,omitempty" doc:"override the settings"`
		Pronunciations map[string]string    `json:"pronunciations,omitempty" doc:"word to respelling or /ipa/, over the dictionary; up to 1,000"`
	} `nameHint:"TextPreviewRequest"`
}

type textPreviewOutput struct {
	Body generations.Spoken `nameHint:"TextPreview"`
}

// textHandlers are the routes of texts that are not spoken yet.
type textHandlers struct {
	speech  *studio.Studio
	uploads *uploads.Reader
}

func (h *textHandlers) routes(r *router) {
	if h.speech == nil {
		return
	}
	post(r, "/text/preview", "text-preview", "Preview how a text will be spoken", h.textPreview)
	post(r, "/batch/parse", "batch-parse", "Read a list of texts from a CSV, JSONL or text file", h.batchParse,
		upload(maxListBytes+formOverhead), describe("Nothing is stored or spoken; a row that cannot be spoken has a problem."))
	if h.uploads != nil {
		post(r, "/text/extract", "text-extract", "Extract the text of a file", h.textExtract,
			upload(extract.MaxFile+formOverhead), describe("Reads "+extract.EndingList()+" files; PDF files need pdftotext on this machine. "+
				"`notes` name each part of the file that was left out or changed."))
	}
}

func (h *textHandlers) textPreview(ctx context.Context, in *textPreviewInput) (*textPreviewOutput, error) {
	b := in.Body
	r := generations.Request{ProfileID: canonicalID(b.ProfileID), Text: b.Text, GenerateOptions: backend.GenerateOptions{
		Voice: b.Voice, Language: b.Language, Speed: b.Speed, ModelName: b.ModelName, MaxChunkChars: b.MaxChunkChars,
		CrossfadeMS: b.CrossfadeMS, Pauses: b.Pauses, Pronunciations: b.Pronunciations,
	}}
	if err := checkWords(b.Pronunciations); err != nil {
		return nil, err
	}
	out, err := h.speech.Generations.Previews.TextPreview(ctx, r)
	return &textPreviewOutput{out}, err
}

// formOverhead is the maximum size of a form without its file in bytes.
const formOverhead = 64 << 10

type textExtractInput struct {
	RawBody huma.MultipartFormFiles[struct {
		File     huma.FormFile `form:"file" required:"true" doc:"up to 50 MB"`
		Encoding string        `form:"encoding" required:"false" doc:"character encoding of the file, such as windows-1251; default: the one that is found"`
	}]
}

type textExtractOutput struct {
	Body extract.Document `nameHint:"ExtractedText"`
}

func (h *textHandlers) textExtract(ctx context.Context, in *textExtractInput) (*textExtractOutput, error) {
	form := in.RawBody.Data()
	defer func() { _ = form.File.Close() }()
	doc, err := h.uploads.Read(ctx, form.File.Filename, form.Encoding, form.File.Size, form.File)
	return &textExtractOutput{doc}, err
}

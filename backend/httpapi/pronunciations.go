package httpapi

import (
	"context"
	"io"
	"mime"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/httpapi/events"
)

// wordEvent is the name of the event for changed pronunciations.
const wordEvent = "pronunciation"

type pronunciationOutput struct {
	Body Pronunciation
}

type createPronunciationInput struct {
	Body struct {
		Word       string `json:"word" doc:"1 to 100 characters, among them a letter or a digit and none of [ ] < > |; once in its language"`
		Respelling string `json:"respelling" doc:"1 to 200 characters, plain or /ipa/, without [[, ]] and |"`
		Language   string `json:"language,omitempty" doc:"BCP 47; empty for all languages"`
	} `nameHint:"NewPronunciation"`
}

// pronunciationHandlers are the routes of the user's pronunciations.
type pronunciationHandlers struct {
	store  Store
	events *events.Streams
	temp   *tempFiles
}

func (h *pronunciationHandlers) routes(r *router) {
	if h.store == nil {
		return
	}
	get(r, "/pronunciations", "pronunciations", "List or search pronunciations, A to Z", h.pronunciations)
	post(r, "/pronunciations", "create-pronunciation", "Add a pronunciation", h.createPronunciation)
	get(r, "/pronunciations/export", "export-pronunciations", "Export the pronunciations as CSV or JSON", h.exportPronunciations,
		returnsFile("text/csv", "application/json"))
	post(r, "/pronunciations/import", "import-pronunciations", "Import pronunciations, replacing existing ones", h.importPronunciations,
		dictionaryBody, upload(maxDictionaryBytes), status(http.StatusCreated),
		describe("CSV with the columns word, respelling and language, named in the first line or in this order, or a JSON list. "+
			"Invalid lines are listed in the response; all others are imported."))
	get(r, "/pronunciations/{pronunciation_id}", "pronunciation", "Get a pronunciation", h.pronunciation)
	put(r, "/pronunciations/{pronunciation_id}", "update-pronunciation", "Update a pronunciation", h.updatePronunciation)
	del(r, "/pronunciations/{pronunciation_id}", "delete-pronunciation", "Delete a pronunciation", h.deletePronunciation)
}

func (h *pronunciationHandlers) createPronunciation(ctx context.Context, in *createPronunciationInput) (*pronunciationOutput, error) {
	p, err := h.store.CreatePronunciation(ctx, backend.Pronunciation{
		Word: in.Body.Word, Respelling: in.Body.Respelling, Language: in.Body.Language,
	})
	h.events.Changed(wordEvent, p.ID, err)
	return &pronunciationOutput{Pronunciation(p)}, err
}

// PronunciationPath is the id of a pronunciation in a path; it is exported for huma.
type PronunciationPath struct {
	ID ID `path:"pronunciation_id"`
}

func (h *pronunciationHandlers) pronunciation(ctx context.Context, in *PronunciationPath) (*pronunciationOutput, error) {
	p, err := h.store.Pronunciation(ctx, string(in.ID))
	return &pronunciationOutput{Pronunciation(p)}, err
}

type pronunciationsInput struct {
	Search   string `query:"search" maxLength:"200" doc:"in word and respelling"`
	Language string `query:"language" maxLength:"35" doc:"en also finds en-GB"`
	Paging
}

type pronunciationsOutput struct {
	Body List[Pronunciation] `nameHint:"Pronunciations"`
}

func (h *pronunciationHandlers) pronunciations(ctx context.Context, in *pronunciationsInput) (*pronunciationsOutput, error) {
	list, err := h.store.Pronunciations(ctx, backend.PronunciationFilter{
		Search: in.Search, Language: in.Language, Page: in.page(),
	})
	return &pronunciationsOutput{mapList(list, func(p backend.Pronunciation) Pronunciation { return Pronunciation(p) })}, err
}

type updatePronunciationInput struct {
	PronunciationPath
	Body struct {
		Word       *string `json:"word,omitempty"`
		Respelling *string `json:"respelling,omitempty"`
		Language   *string `json:"language,omitempty"`
	} `nameHint:"PronunciationChanges"`
}

func (h *pronunciationHandlers) updatePronunciation(ctx context.Context, in *updatePronunciationInput) (*pronunciationOutput, error) {
	p, err := h.store.UpdatePronunciation(ctx, string(in.ID), backend.PronunciationPatch(in.Body))
	h.events.Changed(wordEvent, p.ID, err)
	return &pronunciationOutput{Pronunciation(p)}, err
}

func (h *pronunciationHandlers) deletePronunciation(ctx context.Context, in *PronunciationPath) (*struct{}, error) {
	err := h.store.DeletePronunciation(ctx, string(in.ID))
	h.events.Changed(wordEvent, string(in.ID), err)
	return nil, err
}

type exportPronunciationsInput struct {
	Format string `query:"format" enum:"csv,json" default:"csv"`
}

func (h *pronunciationHandlers) exportPronunciations(ctx context.Context, in *exportPronunciationsInput) (*huma.StreamResponse, error) {
	all, err := h.store.AllPronunciations(ctx)
	if err != nil {
		return nil, err
	}
	return h.temp.attachment(ctx, "pronunciations."+in.Format, 0, func(w io.Writer) error {
		return backend.WritePronunciations(w, in.Format, all)
	})
}

// csvType is the content type of an imported table.
const csvType = "text/csv"

type importPronunciationsInput struct {
	ContentType string `header:"Content-Type" hidden:"true"`
	RawBody     []byte `contentType:"text/csv"`
}

type importPronunciationsOutput struct {
	Body backend.PronunciationImport
}

// dictionaryBody documents the JSON form of imported pronunciations; huma adds the CSV form. Entries are validated one by one
// when they are read, so that an invalid one does not affect the others.
func dictionaryBody(op *huma.Operation) {
	op.SkipValidateBody = true
	op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		jsonType: {Schema: &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{
			Description: "an object with the strings word, respelling and language; anything else is left out and listed in the answer",
		}}},
	}}
}

// maxSkipped is how many lines that were not imported are listed.
const maxSkipped = 1000

func (h *pronunciationHandlers) importPronunciations(
	ctx context.Context, in *importPronunciationsInput,
) (*importPronunciationsOutput, error) {
	format := "json"
	if kind, _, err := mime.ParseMediaType(in.ContentType); err == nil && kind == csvType {
		format = "csv"
	}
	entries, skipped, err := backend.ReadPronunciations(in.RawBody, format)
	if err != nil {
		return nil, err
	}
	out := &importPronunciationsOutput{backend.PronunciationImport{SkippedTotal: len(skipped)}}
	out.Body.Skipped = skipped[:min(len(skipped), maxSkipped)]
	for i := range out.Body.Skipped {
		out.Body.Skipped[i].Reason = cutText(out.Body.Skipped[i].Reason)
	}
	out.Body.Added, out.Body.Replaced, err = h.store.ImportPronunciations(ctx, entries)
	h.events.Changed(wordEvent, "", err)
	return out, err
}

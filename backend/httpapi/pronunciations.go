package httpapi

import (
	"context"
	"io"
	"mime"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
)

// wordEvent is the name of the event for changed pronunciations.
const wordEvent = "pronunciation"

type pronunciationOutput struct {
	Body Pronunciation
}

type createPronunciationInput struct {
	Body struct {
		Word       string `json:"word" doc:"1 to 100 characters after trimming, unique within its language, ignoring case"`
		Respelling string `json:"respelling" doc:"1 to 200 characters, plain or /ipa/"`
		Language   string `json:"language,omitempty" doc:"BCP 47; empty for all languages"`
	} `nameHint:"NewPronunciation"`
}

func (a *API) createPronunciation(ctx context.Context, in *createPronunciationInput) (*pronunciationOutput, error) {
	p, err := a.opts.Store.CreatePronunciation(ctx, backend.Pronunciation{
		Word: in.Body.Word, Respelling: in.Body.Respelling, Language: in.Body.Language,
	})
	a.publishChange(wordEvent, p.ID, err)
	return &pronunciationOutput{Pronunciation(p)}, err
}

// PronunciationPath is the id of a pronunciation in a path; it is exported for huma.
type PronunciationPath struct {
	ID ID `path:"pronunciation_id"`
}

func (a *API) pronunciation(ctx context.Context, in *PronunciationPath) (*pronunciationOutput, error) {
	p, err := a.opts.Store.Pronunciation(ctx, string(in.ID))
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

func (a *API) pronunciations(ctx context.Context, in *pronunciationsInput) (*pronunciationsOutput, error) {
	list, err := a.opts.Store.Pronunciations(ctx, backend.PronunciationFilter{
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

func (a *API) updatePronunciation(ctx context.Context, in *updatePronunciationInput) (*pronunciationOutput, error) {
	p, err := a.opts.Store.UpdatePronunciation(ctx, string(in.ID), backend.PronunciationPatch{
		Word: in.Body.Word, Respelling: in.Body.Respelling, Language: in.Body.Language,
	})
	a.publishChange(wordEvent, p.ID, err)
	return &pronunciationOutput{Pronunciation(p)}, err
}

func (a *API) deletePronunciation(ctx context.Context, in *PronunciationPath) (*struct{}, error) {
	err := a.opts.Store.DeletePronunciation(ctx, string(in.ID))
	a.publishChange(wordEvent, string(in.ID), err)
	return nil, err
}

type exportPronunciationsInput struct {
	Format string `query:"format" enum:"csv,json" default:"csv"`
}

func (a *API) exportPronunciations(ctx context.Context, in *exportPronunciationsInput) (*huma.StreamResponse, error) {
	all, err := a.opts.Store.AllPronunciations(ctx)
	if err != nil {
		return nil, err
	}
	return a.attachment(ctx, "pronunciations."+in.Format, 0, func(w io.Writer) error {
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
	text := &huma.Schema{Type: huma.TypeString}
	op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
		jsonType: {Schema: &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{
			Type: huma.TypeObject, Required: []string{"word", "respelling"},
			Properties: map[string]*huma.Schema{"word": text, "respelling": text, "language": text},
		}}},
	}}
}

// maxSkipped is how many lines that were not imported are listed.
const maxSkipped = 1000

func (a *API) importPronunciations(ctx context.Context, in *importPronunciationsInput) (*importPronunciationsOutput, error) {
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
	out.Body.Added, out.Body.Replaced, err = a.opts.Store.ImportPronunciations(ctx, entries)
	a.publishChange(wordEvent, "", err)
	return out, err
}

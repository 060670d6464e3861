package httpapi

import (
	"context"
	"encoding/json"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// changed is the data of the event for a changed draft, pronunciation or script.
type changed struct {
	ID string `json:"id"`
}

// publishChange publishes a named event about the object with this id, unless err is set.
func (a *API) publishChange(event, id string, err error) {
	if err == nil {
		a.opts.Events.Publish(event, changed{id})
	}
}

type draftOutput struct {
	Body Draft
}

type createDraftInput struct {
	Body struct {
		Name    *string                    `json:"name,omitempty" doc:"1 to 100 characters after trimming; default Untitled"`
		Content map[string]json.RawMessage `json:"content" doc:"any object"`
	} `nameHint:"NewDraft"`
}

func (a *API) createDraft(ctx context.Context, in *createDraftInput) (*draftOutput, error) {
	d := backend.Draft{Name: backend.DefaultDraftName, Content: in.Body.Content}
	if in.Body.Name != nil {
		d.Name = *in.Body.Name
	}
	d, err := a.opts.Store.CreateDraft(ctx, d)
	a.publishChange("draft", d.ID, err)
	return &draftOutput{Draft(d)}, err
}

// DraftPath is the id of a draft in a path; it is exported for huma.
type DraftPath struct {
	ID ID `path:"draft_id"`
}

func (a *API) draft(ctx context.Context, in *DraftPath) (*draftOutput, error) {
	d, err := a.opts.Store.Draft(ctx, string(in.ID))
	return &draftOutput{Draft(d)}, err
}

type draftsInput struct {
	Paging
	Content bool `query:"content" default:"true" doc:"false omits content fields longer than 100 bytes"`
}

type draftsOutput struct {
	Body List[Draft] `nameHint:"Drafts"`
}

func (a *API) drafts(ctx context.Context, in *draftsInput) (*draftsOutput, error) {
	list, err := a.opts.Store.Drafts(ctx, backend.DraftFilter{Brief: !in.Content, Page: in.page()})
	return &draftsOutput{mapList(list, func(d backend.Draft) Draft { return Draft(d) })}, err
}

type updateDraftInput struct {
	DraftPath
	Body struct {
		Name    *string                    `json:"name,omitempty"`
		Content map[string]json.RawMessage `json:"content,omitempty"`

		IfUpdatedAt *time.Time `json:"if_updated_at,omitempty" doc:"updated_at of the version being edited; 409 draft_changed if the draft has changed since"`
	} `nameHint:"DraftChanges"`
}

func (a *API) updateDraft(ctx context.Context, in *updateDraftInput) (*draftOutput, error) {
	d, err := a.opts.Store.UpdateDraft(ctx, string(in.ID), backend.DraftPatch{
		Name: in.Body.Name, Content: in.Body.Content, IfUpdatedAt: in.Body.IfUpdatedAt,
	})
	a.publishChange("draft", d.ID, err)
	return &draftOutput{Draft(d)}, err
}

func (a *API) deleteDraft(ctx context.Context, in *DraftPath) (*struct{}, error) {
	err := a.opts.Store.DeleteDraft(ctx, string(in.ID))
	a.publishChange("draft", string(in.ID), err)
	return nil, err
}

package httpapi

import (
	"context"
	"encoding/json"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/httpapi/events"
)

type draftOutput struct {
	Body Draft
}

type createDraftInput struct {
	Body struct {
		Name    *string                    `json:"name,omitempty" minLength:"1" doc:"1 to 100 characters after trimming; default Untitled"`
		Content map[string]json.RawMessage `json:"content" doc:"any object"`
	} `nameHint:"NewDraft"`
}

// draftHandlers are the routes of drafts.
type draftHandlers struct {
	store  Store
	events *events.Streams
}

func (h *draftHandlers) routes(r *router) {
	if h.store == nil {
		return
	}
	get(r, "/drafts", "drafts", "List drafts, last changed first", h.drafts,
		describe("A page ends after `limit` drafts or 8 MB of content, whichever comes first."))
	post(r, "/drafts", "create-draft", "Create a draft", h.createDraft)
	get(r, "/drafts/{draft_id}", "draft", "Get a draft", h.draft)
	put(r, "/drafts/{draft_id}", "update-draft", "Update a draft", h.updateDraft,
		describe("With `if_updated_at`, a draft that has changed since is not updated: 409 `draft_changed`, whose params are its "+
			"current `name` and `updated_at`."))
	del(r, "/drafts/{draft_id}", "delete-draft", "Delete a draft", h.deleteDraft)
}

func (h *draftHandlers) createDraft(ctx context.Context, in *createDraftInput) (*draftOutput, error) {
	d := backend.Draft{Name: backend.DefaultDraftName, Content: in.Body.Content}
	if in.Body.Name != nil {
		d.Name = *in.Body.Name
	}
	d, err := h.store.CreateDraft(ctx, d)
	h.events.Changed("draft", d.ID, err)
	return &draftOutput{Draft(d)}, err
}

// DraftPath is the id of a draft in a path; it is exported for huma.
type DraftPath struct {
	ID ID `path:"draft_id"`
}

func (h *draftHandlers) draft(ctx context.Context, in *DraftPath) (*draftOutput, error) {
	d, err := h.store.Draft(ctx, string(in.ID))
	return &draftOutput{Draft(d)}, err
}

type draftsInput struct {
	Paging
	Content bool `query:"content" default:"true" doc:"false omits content fields longer than 100 bytes"`
}

type draftsOutput struct {
	Body List[Draft] `nameHint:"Drafts"`
}

func (h *draftHandlers) drafts(ctx context.Context, in *draftsInput) (*draftsOutput, error) {
	list, err := h.store.Drafts(ctx, backend.DraftFilter{Brief: !in.Content, Page: in.page()})
	return &draftsOutput{mapList(list, func(d backend.Draft) Draft { return Draft(d) })}, err
}

type updateDraftInput struct {
	DraftPath
	Body struct {
		Name    *string                    `json:"name,omitempty" minLength:"1"`
		Content map[string]json.RawMessage `json:"content,omitempty"`

		IfUpdatedAt *time.Time `json:"if_updated_at,omitempty" doc:"updated_at of the version being edited; 409 draft_changed if the draft has changed since"`
	} `nameHint:"DraftChanges"`
}

func (h *draftHandlers) updateDraft(ctx context.Context, in *updateDraftInput) (*draftOutput, error) {
	d, err := h.store.UpdateDraft(ctx, string(in.ID), backend.DraftPatch(in.Body))
	h.events.Changed("draft", d.ID, err)
	return &draftOutput{Draft(d)}, err
}

func (h *draftHandlers) deleteDraft(ctx context.Context, in *DraftPath) (*struct{}, error) {
	err := h.store.DeleteDraft(ctx, string(in.ID))
	h.events.Changed("draft", string(in.ID), err)
	return nil, err
}

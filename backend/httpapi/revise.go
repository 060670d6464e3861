package httpapi

import (
	"context"
	"net/http"

	"github.com/voicewright/voicewright/backend/speech"
)

type reviseInput struct {
	GenerationPath
	Body struct {
		Text   string `json:"text" doc:"the new text, 1 to 200,000 characters after trimming"`
		DryRun bool   `json:"dry_run,omitempty" doc:"return the counts and the price with status 200 and change nothing"`

		AcceptCredits *int64 `json:"accept_credits,omitempty" minimum:"0" doc:"the price of the passages of a hosted generation that the user accepted"`
	} `nameHint:"ReviseRequest"`
}

// RevisedGeneration is a generation whose text is being changed.
type RevisedGeneration struct {
	Generation
	Reused    int `json:"reused" doc:"passages of the new text that keep their audio and takes"`
	Generated int `json:"generated" doc:"passages of the new text that are spoken"`
	Removed   int `json:"removed" doc:"passages of the old text that are not in the new one"`

	Quote *HostedQuote `json:"quote" doc:"price of the passages of a hosted generation that are spoken; null for a local voice"`
}

type revisionOutput struct {
	Status int
	Body   RevisedGeneration
}

func (a *API) revise(ctx context.Context, in *reviseInput) (*revisionOutput, error) {
	do, status := a.opts.Speech.Revise, http.StatusAccepted
	if in.Body.DryRun {
		do, status = a.opts.Speech.PlanRevision, http.StatusOK
	}
	r, err := do(ctx, string(in.ID), in.Body.Text, in.Body.AcceptCredits)
	if err != nil {
		return nil, err
	}
	return &revisionOutput{Status: status, Body: a.revisedView(r)}, nil
}

func (a *API) revisedView(r speech.TextRevision) RevisedGeneration {
	return RevisedGeneration{Generation: a.generationView(r.Generation), Reused: r.Reused, Generated: r.Generated, Removed: r.Removed, Quote: (*HostedQuote)(r.Quote)}
}

func (a *API) undoRevise(ctx context.Context, in *GenerationPath) (*generationOutput, error) {
	g, err := a.opts.Speech.UndoText(ctx, string(in.ID))
	return a.answer(http.StatusOK, g, err)
}

func (a *API) level(ctx context.Context, in *GenerationPath) (*generationOutput, error) {
	g, err := a.opts.Speech.Level(ctx, string(in.ID))
	return a.answer(http.StatusOK, g, err)
}

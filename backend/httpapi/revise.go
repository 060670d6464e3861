package httpapi

import (
	"context"
	"net/http"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/takes"
)

type reviseInput struct {
	GenerationPath
	Body struct {
		Text   string `json:"text" minLength:"1" doc:"the new text, 1 to 200,000 characters after trimming"`
		DryRun bool   `json:"dry_run,omitempty" doc:"return the counts, the price and same_settings with status 200 and change nothing"`

		ProfileID string `json:"profile_id,omitempty" doc:"for same_settings of a dry run, as are the options of a request to generate; default: that of the generation"`
		backend.GenerateOptions
	} `nameHint:"ReviseRequest"`
}

// RevisedGeneration is a generation whose text is being changed.
type RevisedGeneration struct {
	Generation
	Reused    int `json:"reused" doc:"passages of the new text that keep their audio and takes"`
	Generated int `json:"generated" doc:"passages of the new text that are spoken"`
	Removed   int `json:"removed" doc:"passages of the old text that are not in the new one"`

	Quote *HostedQuote `json:"quote" doc:"price of the passages of a hosted generation that are spoken; null for a local voice"`

	SameSettings      *bool     `json:"same_settings,omitempty" doc:"of a dry run: whether a generation with the settings of the request would have those of this one, so that only its text changes; true where none was sent"`
	DifferentSettings *[]string `json:"different_settings,omitempty" doc:"of a dry run: the settings of the request that this generation was not made with, such as speed or hosted.stability"`
}

type revisionOutput struct {
	Status int
	Body   RevisedGeneration
}

func (h *generationHandlers) revise(ctx context.Context, in *reviseInput) (*revisionOutput, error) {
	if err := checkWords(in.Body.Pronunciations); err != nil {
		return nil, err
	}
	if in.Body.DryRun {
		return h.planRevision(ctx, in)
	}
	r, err := h.speech.Takes.Revise(ctx, string(in.ID), in.Body.Text, in.Body.AcceptCredits)
	if err != nil {
		return nil, err
	}
	return &revisionOutput{Status: http.StatusAccepted, Body: h.revisedView(r)}, nil
}

func (h *generationHandlers) planRevision(ctx context.Context, in *reviseInput) (*revisionOutput, error) {
	r, err := h.speech.Takes.PlanRevision(ctx, string(in.ID), in.Body.Text, in.Body.AcceptCredits)
	if err != nil {
		return nil, err
	}
	different, err := h.speech.Generations.Previews.DifferentSettings(ctx, string(in.ID),
		requestOf(in.Body.ProfileID, in.Body.Text, in.Body.GenerateOptions))
	if err != nil {
		return nil, err
	}
	out := h.revisedView(r)
	out.SameSettings, out.DifferentSettings = new(len(different) == 0), &different
	return &revisionOutput{Status: http.StatusOK, Body: out}, nil
}

func (h *generationHandlers) revisedView(r takes.TextRevision) RevisedGeneration {
	return RevisedGeneration{
		Generation: h.links.generationView(r.Generation), Reused: r.Reused, Generated: r.Generated, Removed: r.Removed,
		Quote: (*HostedQuote)(r.Quote),
	}
}

func (h *generationHandlers) undoRevise(ctx context.Context, in *GenerationPath) (*generationOutput, error) {
	g, err := h.speech.Takes.UndoText(ctx, string(in.ID))
	return h.links.generation(http.StatusOK, g, err)
}

func (h *generationHandlers) level(ctx context.Context, in *GenerationPath) (*generationOutput, error) {
	g, err := h.speech.Takes.Level(ctx, string(in.ID))
	return h.links.generation(http.StatusOK, g, err)
}

package api

import (
	"net/http"
	"strconv"

	"github.com/voicewright/voicewright/backend/service"
)

type (
	creditsView struct {
		Credits     int64        `json:"credits" doc:"plan and pay-as-you-go"`
		PaygCredits int64        `json:"payg_credits"`
		Plan        service.Plan `json:"plan" enum:"free,pro,max"`
		ExpiresAt   *instant     `json:"expiresAt" nullable:"true" doc:"null on the free plan"`
	}
	renewalView struct {
		Action    string       `json:"action" enum:"none,subscription_expired_reset_to_free"`
		Credits   int64        `json:"credits"`
		Plan      service.Plan `json:"plan" enum:"free,pro,max"`
		ExpiresAt *instant     `json:"expiresAt" nullable:"true" doc:"null on the free plan"`
	}
	usageQuery struct {
		Limit  int    `json:"limit,omitempty" minimum:"1" maximum:"100" default:"50"`
		Cursor string `json:"cursor,omitempty" format:"cursor" doc:"nextCursor of the page before"`
	}
	usageView struct {
		Usage      []usageRow `json:"usage" nullable:"false"`
		NextCursor *string    `json:"nextCursor" doc:"null at the end"`
	}
	usageRow struct {
		ID         string             `json:"id" format:"uuid"`
		CreatedAt  instant            `json:"createdAt"`
		Kind       string             `json:"kind" enum:"synthesize,dialogue"`
		Provider   service.ProviderID `json:"provider" enum:"ProviderA,ProviderB,ProviderC"`
		Model      string             `json:"model"`
		Title      string             `json:"title"`
		Characters int                `json:"characters"`
		Seconds    float64            `json:"seconds" doc:"of audio"`
		Credits    int64              `json:"credits" doc:"what was charged"`
		Status     string             `json:"status" enum:"charged,refunded,held"`
		URL        *string            `json:"url" format:"uri" doc:"the finished audio; null once it is gone"`
	}
)

// userHandlers answer what an account has and has used.
type userHandlers struct {
	service Service
	links   links
}

func (h *userHandlers) credits(w *response, _ *http.Request, caller service.Caller) error {
	account := caller.Account
	respond(w, http.StatusOK, creditsView{
		Credits: account.Credits(), PaygCredits: account.PaygCredits, Plan: account.Plan,
		ExpiresAt: optionalInstant(account.PlanExpires),
	})
	return nil
}

func (h *userHandlers) checkRenewal(w *response, r *http.Request, caller service.Caller) error {
	renewal, err := h.service.CheckRenewal(r.Context(), caller)
	if err != nil {
		return err
	}
	account := renewal.Account
	respond(w, http.StatusOK, renewalView{
		Action: renewal.Action, Credits: account.Credits(), Plan: account.Plan, ExpiresAt: optionalInstant(account.PlanExpires),
	})
	return nil
}

func (h *userHandlers) usage(w *response, r *http.Request, caller service.Caller) error {
	values := r.URL.Query()
	limit := service.DefaultUsage
	if values.Has("limit") {
		n, err := strconv.Atoi(values.Get("limit"))
		if err != nil || n < 1 || n > service.MaxUsage {
			return errBadRequest("The parameter \"limit\" must be a whole number from 1 to %d.", service.MaxUsage)
		}
		limit = n
	}
	rows, next, err := h.service.Usage(r.Context(), caller, values.Get("cursor"), limit)
	if err != nil {
		return err
	}
	view := usageView{Usage: make([]usageRow, len(rows))}
	for i, u := range rows {
		view.Usage[i] = usageRow{
			ID: u.ID, CreatedAt: instant(u.At), Kind: u.Kind, Provider: u.Provider, Model: u.Model, Title: u.Title,
			Characters: u.Characters, Seconds: u.Seconds, Credits: u.Credits, Status: u.Status,
		}
		if u.File != "" {
			url := h.links.file(u.File)
			view.Usage[i].URL = &url
		}
	}
	if next != "" {
		view.NextCursor = &next
	}
	respond(w, http.StatusOK, view)
	return nil
}

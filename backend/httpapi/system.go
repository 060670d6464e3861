package httpapi

import (
	"context"

	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/system"
	"github.com/voicewright/voicewright/backend/updates"
)

type systemOutput struct {
	Body system.Info `nameHint:"System"`
}

// systemHandlers are the routes about the program and its library.
type systemHandlers struct {
	version string
	info    func(ctx context.Context) system.Info
	values  *settings.Settings
	updates *updates.Checker
}

func (h *systemHandlers) routes(r *router) {
	get(r, "/health", "health", "Server health", h.health, open)
	if h.updates != nil {
		get(r, "/updates", "updates", "Whether this build can check for a new version", h.updatesSource)
		post(r, "/updates/check", "check-updates", "Check for a new version", h.checkUpdates,
			describe("Only this route connects to the address of `GET /updates`, and nothing calls it unasked. Nothing is downloaded or installed."))
	}
	if h.info == nil {
		return
	}
	get(r, "/system", "system", "System information", h.system)
	get(r, "/settings", "settings", "Get all settings", h.settings)
	put(r, "/settings", "put-settings", "Change settings", h.putSettings)
}

type healthOutput struct {
	Body struct {
		Status  string `json:"status" enum:"ok"`
		Version string `json:"version"`
	} `nameHint:"Health"`
}

func (h *systemHandlers) health(context.Context, *struct{}) (*healthOutput, error) {
	out := &healthOutput{}
	out.Body.Status, out.Body.Version = "ok", h.version
	return out, nil
}

func (h *systemHandlers) system(ctx context.Context, _ *struct{}) (*systemOutput, error) {
	return &systemOutput{h.info(ctx)}, nil
}

type settingsInput struct {
	Describe bool `query:"describe" doc:"add the type, default, range and description of each"`
}

type settingsOutput struct {
	Body map[string]any `nameHint:"Settings"`
}

func (h *systemHandlers) settings(_ context.Context, in *settingsInput) (*settingsOutput, error) {
	values := h.values.All()
	if !in.Describe {
		return &settingsOutput{values}, nil
	}
	described := map[string]any{}
	for _, def := range settings.Table() {
		described[def.Key] = struct {
			Value   any `json:"value"`
			Default any `json:"default"`
			settings.Setting
		}{values[def.Key], def.DefaultValue(), def}
	}
	return &settingsOutput{described}, nil
}

type putSettingsInput struct {
	Body map[string]any `nameHint:"SettingsChanges"`
}

func (h *systemHandlers) putSettings(ctx context.Context, in *putSettingsInput) (*settingsOutput, error) {
	if err := h.values.Put(ctx, in.Body); err != nil {
		return nil, err
	}
	return &settingsOutput{h.values.All()}, nil
}

type updatesOutput struct {
	Body struct {
		Address string `json:"address" doc:"that is asked for new versions; empty where this build has none"`
	} `nameHint:"Updates"`
}

func (h *systemHandlers) updatesSource(context.Context, *struct{}) (*updatesOutput, error) {
	out := &updatesOutput{}
	out.Body.Address = h.updates.Address()
	return out, nil
}

type checkUpdatesOutput struct {
	Body updates.NewestVersion
}

func (h *systemHandlers) checkUpdates(ctx context.Context, _ *struct{}) (*checkUpdatesOutput, error) {
	answer, err := h.updates.Check(ctx)
	if err != nil {
		return nil, err
	}
	return &checkUpdatesOutput{answer}, nil
}

package httpapi

import (
	"context"

	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/system"
)

type systemOutput struct {
	Body system.Info `nameHint:"System"`
}

func (a *API) system(ctx context.Context, _ *struct{}) (*systemOutput, error) {
	return &systemOutput{a.opts.System(ctx)}, nil
}

type settingsInput struct {
	Describe bool `query:"describe" doc:"add the type, default, range and description of each"`
}

type settingsOutput struct {
	Body map[string]any `nameHint:"Settings"`
}

func (a *API) settings(_ context.Context, in *settingsInput) (*settingsOutput, error) {
	values := a.opts.Settings.All()
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

func (a *API) putSettings(ctx context.Context, in *putSettingsInput) (*settingsOutput, error) {
	if err := a.opts.Settings.Put(ctx, in.Body); err != nil {
		return nil, err
	}
	return &settingsOutput{a.opts.Settings.All()}, nil
}

package httpapi

import (
	"context"

	"github.com/voicewright/voicewright/backend"
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
	Describe bool `query:"describe" doc:"add type, default, range and a sentence to each"`
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
			Value any `json:"value"`
			settings.Setting
		}{values[def.Key], def}
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

type modelsOutput struct {
	Body struct {
		Models []backend.ModelStatus `json:"models"`
	} `nameHint:"Models"`
}

func (a *API) modelsStatus(ctx context.Context, _ *struct{}) (*modelsOutput, error) {
	out := &modelsOutput{}
	out.Body.Models = a.opts.Models.Status(ctx)
	return out, nil
}

type importModelInput struct {
	Body struct {
		Path   string `json:"path" minLength:"1" doc:"a file or folder on this machine"`
		Engine string `json:"engine,omitempty" maxLength:"64" doc:"guessed when absent"`
		Name   string `json:"name,omitempty" maxLength:"64" doc:"a-z, 0-9, dot, underscore, hyphen; from the file when absent"`
	} `nameHint:"ModelImport"`
}

type modelOutput struct {
	Body backend.ModelStatus
}

func (a *API) importModel(ctx context.Context, in *importModelInput) (*modelOutput, error) {
	status, err := a.opts.Models.Import(ctx, in.Body.Path, in.Body.Engine, in.Body.Name)
	if err != nil {
		return nil, err
	}
	return &modelOutput{status}, nil
}

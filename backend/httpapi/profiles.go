package httpapi

import (
	"context"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/profiles"
)

type profileOutput struct {
	Status int
	Body   Profile
}

func (a *API) profileAnswer(status int, p backend.Profile, err error) (*profileOutput, error) {
	if err != nil {
		return nil, err
	}
	one := []backend.Profile{p}
	a.opts.Profiles.Describe(one)
	return &profileOutput{status, Profile(one[0])}, nil
}

func profileView(p backend.Profile) Profile { return Profile(p) }

// ProfileFields are the optional fields of a profile in a body; it is exported for huma.
type ProfileFields struct {
	Description   *string            `json:"description,omitempty" maxLength:"2000"`
	Language      *string            `json:"language,omitempty" maxLength:"35" doc:"BCP 47"`
	VoiceType     *backend.VoiceType `json:"voice_type,omitempty" enum:"default,preset,cloned,hosted"`
	PresetEngine  *string            `json:"preset_engine,omitempty" maxLength:"64"`
	PresetVoiceID *string            `json:"preset_voice_id,omitempty" maxLength:"200"`
	ModelName     *string            `json:"model_name,omitempty" maxLength:"64" doc:"without a voice: the first voice of that model"`
	HostedVoiceID *string            `json:"hosted_voice_id,omitempty" maxLength:"200"`
	HostedModelID *string            `json:"hosted_model_id,omitempty" maxLength:"200"`
	Speed         *float64           `json:"speed,omitempty" minimum:"0.25" maximum:"4"`
	Favorite      *bool              `json:"favorite,omitempty"`
}

func (f ProfileFields) patch() backend.ProfilePatch {
	return backend.ProfilePatch{
		Description: f.Description, Language: f.Language, VoiceType: f.VoiceType, PresetEngine: f.PresetEngine,
		PresetVoiceID: f.PresetVoiceID, ModelName: f.ModelName, HostedVoiceID: f.HostedVoiceID,
		HostedModelID: f.HostedModelID, Speed: f.Speed, Favorite: f.Favorite,
	}
}

type createProfileInput struct {
	Body struct {
		Name string `json:"name" doc:"1 to 100 characters after trimming, unique, ignoring case"`
		ProfileFields
	} `nameHint:"NewProfile"`
}

func (a *API) createProfile(ctx context.Context, in *createProfileInput) (*profileOutput, error) {
	p, err := a.opts.Profiles.Create(ctx, profiles.Draft{Name: in.Body.Name, ProfilePatch: in.Body.patch()})
	return a.profileAnswer(http.StatusOK, p, err)
}

// ProfilePath is the id of a profile in a path; it is exported for huma.
type ProfilePath struct {
	ID ID `path:"profile_id"`
}

type updateProfileInput struct {
	ProfilePath
	Body struct {
		Name *string `json:"name,omitempty"`
		ProfileFields
	} `nameHint:"ProfileChanges"`
}

func (a *API) updateProfile(ctx context.Context, in *updateProfileInput) (*profileOutput, error) {
	patch := in.Body.patch()
	patch.Name = in.Body.Name
	p, err := a.opts.Profiles.Update(ctx, string(in.ID), patch)
	return a.profileAnswer(http.StatusOK, p, err)
}

func (a *API) profile(ctx context.Context, in *ProfilePath) (*profileOutput, error) {
	p, err := a.opts.Store.Profile(ctx, string(in.ID))
	return a.profileAnswer(http.StatusOK, p, err)
}

// Paging is a page of a list in a query; it is exported for huma.
type Paging struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor string `query:"cursor" maxLength:"500" doc:"next_cursor of the previous page"`
}

func (p Paging) page() backend.Page { return backend.Page{Limit: p.Limit, Cursor: p.Cursor} }

// optionalBool returns a boolean query value, nil if it is absent.
func optionalBool(s string) *bool {
	if s == "" {
		return nil
	}
	return new(s == "true")
}

type profilesInput struct {
	Search    string `query:"search" maxLength:"200"`
	Language  string `query:"language" maxLength:"35"`
	Engine    string `query:"engine" maxLength:"64"`
	VoiceType string `query:"voice_type" enum:"default,preset,cloned,hosted"`
	Favorite  string `query:"favorite" enum:"true,false"`
	Usable    string `query:"usable" enum:"true,all" default:"true" doc:"all: also profiles that this build cannot use"`
	Sort      string `query:"sort" enum:"name,newest,oldest,updated" default:"name"`
	Paging
}

type profilesOutput struct {
	Body List[Profile] `nameHint:"Profiles"`
}

func (a *API) profiles(ctx context.Context, in *profilesInput) (*profilesOutput, error) {
	list, err := a.opts.Store.Profiles(ctx, backend.ProfileFilter{
		Search: in.Search, Language: in.Language, Engine: in.Engine, VoiceType: backend.VoiceType(in.VoiceType),
		Favorite: optionalBool(in.Favorite), All: in.Usable == "all", Sort: backend.ProfileSort(in.Sort), Page: in.page(),
	})
	if err != nil {
		return nil, err
	}
	a.opts.Profiles.Describe(list.Items)
	return &profilesOutput{mapList(list, profileView)}, nil
}

func (a *API) deleteProfile(ctx context.Context, in *ProfilePath) (*struct{}, error) {
	return nil, a.opts.Profiles.Delete(ctx, string(in.ID))
}

func (a *API) duplicateProfile(ctx context.Context, in *ProfilePath) (*profileOutput, error) {
	p, err := a.opts.Profiles.Duplicate(ctx, string(in.ID))
	return a.profileAnswer(http.StatusOK, p, err)
}

func (a *API) restorePresets(ctx context.Context, _ *struct{}) (*profilesOutput, error) {
	made, err := a.opts.Models.RestorePresets(ctx)
	if err != nil {
		return nil, err
	}
	a.opts.Profiles.Describe(made)
	return &profilesOutput{List[Profile]{Items: mapAll(made, profileView), Total: len(made)}}, nil
}

func (a *API) exportProfile(ctx context.Context, in *ProfilePath) (*huma.StreamResponse, error) {
	p, size, err := a.opts.Profiles.ExportSize(ctx, string(in.ID))
	if err != nil {
		return nil, err
	}
	return a.attachment(ctx, backend.FileName(p.Name, p.ID)+".zip", size, func(w io.Writer) error {
		return a.opts.Profiles.Export(ctx, p.ID, w)
	})
}

// maxProfileFile is the maximum size of an exported profile in bytes.
const maxProfileFile = 200 << 20

type importProfileInput struct {
	RawBody huma.MultipartFormFiles[struct {
		File    huma.FormFile `form:"file" required:"true"`
		Consent string        `form:"consent" required:"false" doc:"own_voice or permission: why the voice may be cloned; needed for a profile with samples"`
		By      string        `form:"consent_by" required:"false" doc:"whose statement it is; default: the name of your account on this machine"`
	}]
}

func (a *API) importProfile(ctx context.Context, in *importProfileInput) (*profileOutput, error) {
	form := in.RawBody.Data()
	defer func() { _ = form.File.Close() }()
	p, err := a.opts.Profiles.Import(ctx, profiles.ImportRequest{
		File: form.File, Size: form.File.Size, Consent: backend.ConsentKind(form.Consent), By: form.By,
	})
	return a.profileAnswer(http.StatusCreated, p, err)
}

func (a *API) previewProfile(w http.ResponseWriter, r *http.Request) {
	id, err := pathID(r, "profile_id")
	if err != nil {
		a.fail(w, r, err)
		return
	}
	wav, err := a.opts.Speech.Generations.Preview(r.Context(), id)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "audio/wav")
	_, _ = w.Write(wav) // the client may have disconnected
}

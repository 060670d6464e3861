package httpapi

import (
	"context"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/filename"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/profiles"
	"github.com/voicewright/voicewright/backend/studio"
)

type profileOutput struct {
	Status int
	Body   Profile
}

// profileHandlers are the routes of voice profiles.
type profileHandlers struct {
	*responder
	service *profiles.Service
	store   Store
	models  *models.Manager
	speech  *studio.Studio
	temp    *tempFiles
}

func (h *profileHandlers) routes(r *router) {
	if h.service == nil {
		return
	}
	get(r, "/profiles", "profiles", "List voice profiles", h.profiles)
	post(r, "/profiles", "create-profile", "Create a voice profile", h.createProfile)
	post(r, "/profiles/import", "import-profile", "Import a voice profile", h.importProfile,
		upload(maxProfileFile), status(http.StatusCreated))
	post(r, "/profiles/restore-presets", "restore-presets", "Restore deleted preset profiles", h.restorePresets)
	get(r, "/profiles/{profile_id}", "profile", "Get a voice profile", h.profile)
	put(r, "/profiles/{profile_id}", "update-profile", "Update a voice profile", h.updateProfile)
	del(r, "/profiles/{profile_id}", "delete-profile", "Delete a voice profile with its samples; its history stays", h.deleteProfile)
	post(r, "/profiles/{profile_id}/duplicate", "duplicate-profile", "Duplicate a voice profile", h.duplicateProfile)
	post(r, "/profiles/{profile_id}/similarity", "profile-similarity",
		"Compare a cloned voice with its samples by listening to it; nothing is recorded", h.similarity)
	get(r, "/profiles/{profile_id}/export", "export-profile", "Export a voice profile with its samples as a zip file", h.exportProfile,
		returnsFile("application/zip"))
	post(r, "/profiles/{profile_id}/preview", "hear-profile", "Hear a short text in a voice; nothing is recorded", h.hearProfile,
		returnsFile("audio/wav"), describe("A hosted voice answers with the preview of the service, which costs nothing."))
	r.file("/profiles/{profile_id}/preview", "preview-profile", "Preview a voice; nothing is recorded", h.previewProfile,
		returnsFile("audio/wav"))
}

func (h *profileHandlers) profileAnswer(status int, p backend.Profile, err error) (*profileOutput, error) {
	if err != nil {
		return nil, err
	}
	one := []backend.Profile{p}
	h.service.Describe(one)
	return &profileOutput{status, Profile(one[0])}, nil
}

func profileView(p backend.Profile) Profile { return Profile(p) }

type createProfileInput struct {
	Body struct {
		Name string `json:"name" minLength:"1" doc:"1 to 100 characters after trimming, unique, ignoring case"`
		backend.ProfilePatch
	} `nameHint:"NewProfile"`
}

func (h *profileHandlers) createProfile(ctx context.Context, in *createProfileInput) (*profileOutput, error) {
	p, err := h.service.Create(ctx, profiles.Draft{Name: in.Body.Name, ProfilePatch: in.Body.ProfilePatch})
	return h.profileAnswer(http.StatusOK, p, err)
}

// ProfilePath is the id of a profile in a path; it is exported for huma.
type ProfilePath struct {
	ID ID `path:"profile_id"`
}

type updateProfileInput struct {
	ProfilePath
	Body struct {
		backend.ProfilePatch
	} `nameHint:"ProfileChanges"`
}

func (h *profileHandlers) updateProfile(ctx context.Context, in *updateProfileInput) (*profileOutput, error) {
	p, err := h.service.Update(ctx, string(in.ID), in.Body.ProfilePatch)
	return h.profileAnswer(http.StatusOK, p, err)
}

func (h *profileHandlers) profile(ctx context.Context, in *ProfilePath) (*profileOutput, error) {
	p, err := h.store.Profile(ctx, string(in.ID))
	return h.profileAnswer(http.StatusOK, p, err)
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

func (h *profileHandlers) profiles(ctx context.Context, in *profilesInput) (*profilesOutput, error) {
	list, err := h.store.Profiles(ctx, backend.ProfileFilter{
		Search: in.Search, Language: in.Language, Engine: in.Engine, VoiceType: backend.VoiceType(in.VoiceType),
		Favorite: optionalBool(in.Favorite), All: in.Usable == "all", Sort: backend.ProfileSort(in.Sort), Page: in.page(),
	})
	if err != nil {
		return nil, err
	}
	h.service.Describe(list.Items)
	return &profilesOutput{mapList(list, profileView)}, nil
}

func (h *profileHandlers) deleteProfile(ctx context.Context, in *ProfilePath) (*struct{}, error) {
	return nil, h.service.Delete(ctx, string(in.ID))
}

func (h *profileHandlers) duplicateProfile(ctx context.Context, in *ProfilePath) (*profileOutput, error) {
	p, err := h.service.Duplicate(ctx, string(in.ID))
	return h.profileAnswer(http.StatusOK, p, err)
}

func (h *profileHandlers) restorePresets(ctx context.Context, _ *struct{}) (*profilesOutput, error) {
	profiles, err := h.models.RestorePresets(ctx)
	if err != nil {
		return nil, err
	}
	h.service.Describe(profiles)
	return &profilesOutput{List[Profile]{Items: mapAll(profiles, profileView), Total: len(profiles)}}, nil
}

func (h *profileHandlers) exportProfile(ctx context.Context, in *ProfilePath) (*huma.StreamResponse, error) {
	p, size, err := h.service.ExportSize(ctx, string(in.ID))
	if err != nil {
		return nil, err
	}
	return h.temp.attachment(ctx, filename.Safe(p.Name, p.ID)+".zip", size, func(w io.Writer) error {
		return h.service.Export(ctx, p.ID, w)
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

func (h *profileHandlers) importProfile(ctx context.Context, in *importProfileInput) (*profileOutput, error) {
	form := in.RawBody.Data()
	defer func() { _ = form.File.Close() }()
	p, err := h.service.Import(ctx, profiles.ImportRequest{
		File: form.File, Size: form.File.Size, Consent: backend.ConsentKind(form.Consent), By: form.By,
	})
	return h.profileAnswer(http.StatusCreated, p, err)
}

func (h *profileHandlers) previewProfile(w http.ResponseWriter, r *http.Request) {
	id, err := pathID(r, "profile_id")
	if err != nil {
		h.fail(w, r, err)
		return
	}
	wav, err := h.speech.Generations.Previews.Preview(r.Context(), id)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "audio/wav")
	_, _ = w.Write(wav) // the client may have disconnected
}

type hearInput struct {
	ID   ID `path:"profile_id"`
	Body struct {
		Text           string            `json:"text" minLength:"1" maxLength:"500"`
		Language       string            `json:"language,omitempty" maxLength:"35" doc:"BCP 47"`
		Speed          *float64          `json:"speed,omitempty" minimum:"0.25" maximum:"4"`
		Pronunciations map[string]string `json:"pronunciations,omitempty" doc:"word to respelling or /ipa/, over the dictionary; up to 1,000"`
	} `nameHint:"HearRequest"`
}

func (h *profileHandlers) hearProfile(ctx context.Context, in *hearInput) (*huma.StreamResponse, error) {
	b := in.Body
	if err := checkWords(b.Pronunciations); err != nil {
		return nil, err
	}
	wav, err := h.speech.Generations.Previews.Hear(ctx, generations.Request{
		Text: b.Text, ProfileID: string(in.ID),
		GenerateOptions: backend.GenerateOptions{Language: b.Language, Speed: b.Speed, Pronunciations: b.Pronunciations},
	})
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		c.SetHeader("Content-Type", "audio/wav")
		c.SetHeader("Cache-Control", "no-store")
		_, _ = c.BodyWriter().Write(wav) // the client may have disconnected
	}}, nil
}

package httpapi

import (
	"context"
	"net/http"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted"
	"github.com/voicewright/voicewright/backend/studio"
)

// hostedHandlers are the routes of the hosted account, its voices and prices.
type hostedHandlers struct {
	*responder
	service *hosted.Service
	speech  *studio.Studio
}

func (h *hostedHandlers) routes(r *router) {
	if h.service == nil {
		return
	}
	get(r, "/hosted/status", "hosted-status", "The account at the hosted service", h.hostedStatus,
		describe("Plan and credits that are older than 30 s are read again, for at most 5 s. "+
			"Nothing is contacted before there is a sign-in or an API key."))
	post(r, "/hosted/test", "hosted-test", "Test the connection to the hosted service", h.hostedTest,
		describe("With an address other than the setting's, no credential is sent."))
	get(r, "/hosted/key", "hosted-key", "The first characters of the stored API key", h.hostedKey)
	put(r, "/hosted/key", "put-hosted-key", "Store an API key", h.putHostedKey,
		describe("The key is not sent anywhere. It is used for the service whose address is set at the time."))
	post(r, "/hosted/key", "make-hosted-key", "Make an API key with the sign-in, and store it", h.makeHostedKey, status(http.StatusCreated))
	del(r, "/hosted/key", "delete-hosted-key", "Forget the API key; it is not revoked", h.deleteHostedKey)
	get(r, "/hosted/voices", "hosted-voices", "List the voices of the hosted service", h.hostedVoices,
		describe("The last list is kept, and shown while the service cannot be reached. One that is older than 10 minutes is shown at once and "+
			"read again; the event `hosted` says when."))
	get(r, "/hosted/models", "hosted-models", "List the models of the hosted service", h.hostedModels)
	r.file("/hosted/voices/{voice}/preview", "hosted-preview", "Preview of a hosted voice", h.hostedPreview, audioFile())
	put(r, "/hosted/voices/{voice}/favorite", "favorite-hosted-voice", "Add a voice to the service's favourites, or remove it",
		h.favoriteHostedVoice)
	get(r, "/hosted/quote", "hosted-quote", "The price of a text with a hosted voice", h.quote,
		describe("Our markup is taken out before, pauses separate calls, and each call is rounded up. `credits` is null "+
			"where the service's rate is not known."))
	post(r, "/hosted/quote", "hosted-quote-request", "The price of a request to generate, or of a script", h.quoteRequest,
		describe("Takes the body of `/generate` or of `/script`. Local voices cost nothing."))
	post(r, "/hosted/enhance", "hosted-enhance", "Insert audio tags into a text, or into the turns of a dialogue", h.enhance,
		describe("Free. Long texts are sent in several requests. With the tags taken out, the words must equal those of the text; else the text "+
			"is returned as it was, and `reason` says why. Pauses, respellings and SSML stay in their places."))
}

// HostedStatus is what is known of the hosted account; it is exported for huma.
type HostedStatus hosted.Status

type hostedStatusOutput struct {
	Body HostedStatus
}

func (h *hostedHandlers) hostedStatus(ctx context.Context, _ *struct{}) (*hostedStatusOutput, error) {
	st, err := h.service.Status(ctx)
	return &hostedStatusOutput{HostedStatus(st)}, err
}

// HostedTest is the result of a test of the connection; it is exported for huma.
type HostedTest hosted.Test

type hostedTestInput struct {
	Body *struct {
		BaseURL string `json:"base_url,omitempty" maxLength:"2000" doc:"absent: the setting hosted.base_url"`
	} `nameHint:"HostedTestRequest"`
}

type hostedTestOutput struct {
	Body HostedTest
}

func (h *hostedHandlers) hostedTest(ctx context.Context, in *hostedTestInput) (*hostedTestOutput, error) {
	address := ""
	if in.Body != nil {
		address = in.Body.BaseURL
	}
	t, err := h.service.Test(ctx, address)
	return &hostedTestOutput{HostedTest(t)}, err
}

// HostedKey is the API key as it is shown; it is exported for huma.
type HostedKey struct {
	KeyPrefix string `json:"key_prefix" doc:"first characters of the key"`
}

type hostedKeyOutput struct {
	Body HostedKey
}

func (h *hostedHandlers) hostedKey(context.Context, *struct{}) (*hostedKeyOutput, error) {
	prefix, ok := h.service.Credentials().KeyPrefix()
	if !ok {
		return nil, backend.E(backend.CodeNotFound, "No API key is stored for the hosted service.",
			"Store one on the Account screen, or run `voicewright hosted login --key-stdin`.")
	}
	return &hostedKeyOutput{HostedKey{prefix}}, nil
}

type putHostedKeyInput struct {
	Body struct {
		Key string `json:"key" doc:"svc_sk_ followed by base64url"`
	} `nameHint:"HostedKeyText"`
}

func (h *hostedHandlers) putHostedKey(ctx context.Context, in *putHostedKeyInput) (*hostedKeyOutput, error) {
	prefix, err := h.service.Credentials().SetKey(ctx, in.Body.Key)
	return &hostedKeyOutput{HostedKey{prefix}}, err
}

type makeHostedKeyInput struct {
	Body *struct {
		Name string `json:"name,omitempty" maxLength:"100"`
	} `nameHint:"HostedKeyName"`
}

func (h *hostedHandlers) makeHostedKey(ctx context.Context, in *makeHostedKeyInput) (*hostedKeyOutput, error) {
	name := ""
	if in.Body != nil {
		name = in.Body.Name
	}
	prefix, err := h.service.MakeKey(ctx, name)
	return &hostedKeyOutput{HostedKey{prefix}}, err
}

func (h *hostedHandlers) deleteHostedKey(ctx context.Context, _ *struct{}) (*struct{}, error) {
	return nil, h.service.Credentials().DeleteKey(ctx)
}

// HostedVoices is a page of the hosted voices; it is exported for huma.
type HostedVoices hosted.VoiceList

type hostedVoicesInput struct {
	Search   string `query:"search" maxLength:"200"`
	Language string `query:"language" maxLength:"35"`
	Gender   string `query:"gender" maxLength:"64"`
	Provider string `query:"provider" maxLength:"64"`
	Category string `query:"category" maxLength:"200"`
	Accent   string `query:"accent" maxLength:"200"`
	Favorite string `query:"favorite" enum:"true,false"`
	Refresh  string `query:"refresh" enum:"true,false" doc:"true: wait for a new list"`
	Paging
}

type hostedVoicesOutput struct {
	Body HostedVoices
}

func (h *hostedHandlers) hostedVoices(ctx context.Context, in *hostedVoicesInput) (*hostedVoicesOutput, error) {
	list, err := h.service.Voices(ctx, hosted.VoiceFilter{
		Search: in.Search, Language: in.Language, Gender: in.Gender, Provider: in.Provider, Category: in.Category, Accent: in.Accent,
		Favorite: optionalBool(in.Favorite), Refresh: in.Refresh == "true", Page: in.page(),
	})
	return &hostedVoicesOutput{HostedVoices(list)}, err
}

type hostedModelsOutput struct {
	Body List[backend.HostedModel] `nameHint:"HostedModels"`
}

func (h *hostedHandlers) hostedModels(ctx context.Context, _ *struct{}) (*hostedModelsOutput, error) {
	models, err := h.service.Models(ctx)
	return &hostedModelsOutput{whole(models)}, err
}

// hostedPreview serves the preview of a voice from where it is kept.
func (h *hostedHandlers) hostedPreview(w http.ResponseWriter, r *http.Request) {
	p, err := h.service.Preview(r.Context(), r.PathValue("voice"))
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.servePreview(w, r, p.Path, p.Type)
}

// servePreview serves a cached audio file of a few seconds.
func (p *responder) servePreview(w http.ResponseWriter, r *http.Request, path, contentType string) {
	f, err := os.Open(path)
	if err != nil {
		p.fail(w, r, err)
		return
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		p.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "private")
	p.serveContent(w, r, info.ModTime(), f)
}

type favoriteHostedVoiceInput struct {
	Voice string `path:"voice" maxLength:"200"`
	Body  struct {
		Favorite bool `json:"favorite"`
	} `nameHint:"HostedFavorite"`
}

type hostedVoiceOutput struct {
	Body hosted.ListedVoice
}

func (h *hostedHandlers) favoriteHostedVoice(ctx context.Context, in *favoriteHostedVoiceInput) (*hostedVoiceOutput, error) {
	v, err := h.service.SetFavorite(ctx, in.Voice, in.Body.Favorite)
	return &hostedVoiceOutput{v}, err
}

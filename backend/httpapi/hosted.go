package httpapi

import (
	"context"
	"net/http"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted"
)

func (a *API) hostedRoutes() {
	if a.opts.Hosted == nil {
		return
	}
	get(a, "/hosted/status", "hosted-status", "The account at the hosted service", a.hostedStatus,
		describe("Plan and credits that are older than 30 s are read again, for at most 5 s. Nothing is contacted before there is a sign-in or an API key."))
	post(a, "/hosted/test", "hosted-test", "Test the connection to the hosted service", a.hostedTest,
		describe("With an address other than the setting's, no credential is sent."))
	get(a, "/hosted/key", "hosted-key", "The first characters of the stored API key", a.hostedKey)
	put(a, "/hosted/key", "put-hosted-key", "Store an API key", a.putHostedKey,
		describe("The key is not sent anywhere. It is used for the service whose address is set at the time."))
	post(a, "/hosted/key", "make-hosted-key", "Make an API key with the sign-in, and store it", a.makeHostedKey, status(http.StatusCreated))
	del(a, "/hosted/key", "delete-hosted-key", "Forget the API key; it is not revoked", a.deleteHostedKey)
	get(a, "/hosted/voices", "hosted-voices", "List the voices of the hosted service", a.hostedVoices,
		describe("The last list is kept, and shown while the service cannot be reached. One that is older than 10 minutes is shown at once and "+
			"read again; the event `hosted` says when."))
	get(a, "/hosted/models", "hosted-models", "List the models of the hosted service", a.hostedModels)
	a.file("/hosted/voices/{voice}/preview", "hosted-preview", "Preview of a hosted voice", a.hostedPreview, audioFile)
	put(a, "/hosted/voices/{voice}/favorite", "favorite-hosted-voice", "Add a voice to the service's favourites, or remove it", a.favoriteHostedVoice)
	get(a, "/hosted/quote", "hosted-quote", "The price of a text with a hosted voice", a.quote,
		describe("Our markup is taken out before, pauses separate calls, and each call is rounded up. `credits` is null where the service's rate "+
			"is not known."))
	post(a, "/hosted/quote", "hosted-quote-request", "The price of a request to generate, or of a script", a.quoteRequest,
		describe("Takes the body of `/generate` or of `/script`. Local voices cost nothing."))
	post(a, "/hosted/enhance", "hosted-enhance", "Insert audio tags into a text, or into the turns of a dialogue", a.enhance,
		describe("Free. Long texts are sent in several requests. With the tags taken out, the words must equal those of the text; else the text "+
			"is returned as it was, and `reason` says why. Pauses, respellings and SSML stay in their places."))
}

// HostedStatus is what is known of the hosted account; it is exported for huma.
type HostedStatus hosted.Status

type hostedStatusOutput struct {
	Body HostedStatus
}

func (a *API) hostedStatus(ctx context.Context, _ *struct{}) (*hostedStatusOutput, error) {
	st, err := a.opts.Hosted.Status(ctx)
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

func (a *API) hostedTest(ctx context.Context, in *hostedTestInput) (*hostedTestOutput, error) {
	address := ""
	if in.Body != nil {
		address = in.Body.BaseURL
	}
	t, err := a.opts.Hosted.Test(ctx, address)
	return &hostedTestOutput{HostedTest(t)}, err
}

// HostedKey is the API key as it is shown; it is exported for huma.
type HostedKey struct {
	KeyPrefix string `json:"key_prefix" doc:"first characters of the key"`
}

type hostedKeyOutput struct {
	Body HostedKey
}

func (a *API) hostedKey(context.Context, *struct{}) (*hostedKeyOutput, error) {
	prefix, ok := a.opts.Hosted.Credentials().KeyPrefix()
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

func (a *API) putHostedKey(ctx context.Context, in *putHostedKeyInput) (*hostedKeyOutput, error) {
	prefix, err := a.opts.Hosted.Credentials().SetKey(ctx, in.Body.Key)
	return &hostedKeyOutput{HostedKey{prefix}}, err
}

type makeHostedKeyInput struct {
	Body *struct {
		Name string `json:"name,omitempty" maxLength:"100"`
	} `nameHint:"HostedKeyName"`
}

func (a *API) makeHostedKey(ctx context.Context, in *makeHostedKeyInput) (*hostedKeyOutput, error) {
	name := ""
	if in.Body != nil {
		name = in.Body.Name
	}
	prefix, err := a.opts.Hosted.MakeKey(ctx, name)
	return &hostedKeyOutput{HostedKey{prefix}}, err
}

func (a *API) deleteHostedKey(ctx context.Context, _ *struct{}) (*struct{}, error) {
	return nil, a.opts.Hosted.Credentials().DeleteKey(ctx)
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

func (a *API) hostedVoices(ctx context.Context, in *hostedVoicesInput) (*hostedVoicesOutput, error) {
	list, err := a.opts.Hosted.Voices(ctx, hosted.VoiceFilter{
		Search: in.Search, Language: in.Language, Gender: in.Gender, Provider: in.Provider, Category: in.Category, Accent: in.Accent,
		Favorite: optionalBool(in.Favorite), Refresh: in.Refresh == "true", Page: in.page(),
	})
	return &hostedVoicesOutput{HostedVoices(list)}, err
}

type hostedModelsOutput struct {
	Body List[backend.HostedModel] `nameHint:"HostedModels"`
}

func (a *API) hostedModels(ctx context.Context, _ *struct{}) (*hostedModelsOutput, error) {
	models, err := a.opts.Hosted.Models(ctx)
	return &hostedModelsOutput{whole(models)}, err
}

// hostedPreview serves the preview of a voice from where it is kept.
func (a *API) hostedPreview(w http.ResponseWriter, r *http.Request) {
	p, err := a.opts.Hosted.Preview(r.Context(), r.PathValue("voice"))
	if err != nil {
		a.fail(w, r, err)
		return
	}
	a.servePreview(w, r, p.Path, p.Type)
}

// servePreview serves a cached audio file of a few seconds.
func (a *API) servePreview(w http.ResponseWriter, r *http.Request, path, contentType string) {
	f, err := os.Open(path)
	if err != nil {
		a.fail(w, r, err)
		return
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		a.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "private")
	a.serveContent(w, r, info.ModTime(), f)
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

func (a *API) favoriteHostedVoice(ctx context.Context, in *favoriteHostedVoiceInput) (*hostedVoiceOutput, error) {
	v, err := a.opts.Hosted.SetFavorite(ctx, in.Voice, in.Body.Favorite)
	return &hostedVoiceOutput{v}, err
}

package hosted

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
)

// voicesAge is how old the list of voices may be before it is requested again.
const voicesAge = 10 * time.Minute

// catalogue is what the service offers an account. It does not change.
type catalogue struct {
	Account   string                `json:"account"` // origin of the service, and key prefix or subject
	FetchedAt time.Time             `json:"fetched_at"`
	Voices    []backend.HostedVoice `json:"voices"`
	Models    []backend.HostedModel `json:"models"`
	Filters   client.Filters        `json:"filters"`
	Prices    map[string]int64      `json:"prices,omitempty"` // credits per 1,000 characters by model, where the service states them

	folded []string       // by voice: the text in which it is searched
	byID   map[string]int // indexes of Voices
}

// voiceState is the catalogue that was read last.
type voiceState struct {
	read    bool // the file was read
	list    *catalogue
	request *voicesRequest
}

// voicesRequest is a request of the catalogue, which all callers of the time share.
type voicesRequest struct {
	account string
	done    chan struct{}
	err     error // after done
}

// Voice returns a voice and its model; an empty model, and one of another provider, are the default one of its provider, as the
// provider follows the voice. Errors: hosted_voice_not_found,
// model_unknown, those of the list.
func (s *voiceList) Voice(ctx context.Context, id, model string) (backend.HostedVoice, backend.HostedModel, error) {
	list, _, err := s.catalogue(ctx, false)
	if err != nil {
		return backend.HostedVoice{}, backend.HostedModel{}, err
	}
	v, ok := list.voice(id)
	if !ok {
		return backend.HostedVoice{}, backend.HostedModel{}, errVoiceNotFound(id)
	}
	m, ok := list.serving(v.Provider, model)
	if !ok {
		return backend.HostedVoice{}, backend.HostedModel{}, errModelUnknown(model, v)
	}
	return v, m, nil
}

// profileCheck is how long the check of a new profile may take.
const profileCheck = 5 * time.Second

// ProfileVoice returns the voice and the model of a profile as the service writes them: the id of the voice, and the model that
// serves it. An empty model stays empty, and where the service's list cannot be read, both stay as they are. Error:
// hosted_model_unknown.
func (s *voiceList) ProfileVoice(ctx context.Context, voice, model string) (ownVoice, ownModel string, err error) {
	ctx, cancel := context.WithTimeout(ctx, profileCheck)
	defer cancel()
	list, stale, err := s.catalogue(ctx, false)
	if err == nil && !list.offers(model) { // it may be new
		list, stale, err = s.catalogue(ctx, true)
	}
	if err != nil || stale && !list.offers(model) {
		return voice, model, nil
	}
	if !list.offers(model) {
		return "", "", backend.E(backend.CodeHostedModelUnknown, fmt.Sprintf("The hosted service has no model %q.", model),
			"Choose one of its models, or leave the model out.").With("model", model)
	}
	v, known := list.voice(voice)
	if !known {
		return voice, model, nil
	}
	if m, ok := list.serving(v.Provider, model); ok && model != "" {
		model = m.ID
	}
	return v.ID, model, nil
}

// offers reports whether the list has a model; it has the empty one.
func (c *catalogue) offers(model string) bool {
	return model == "" || slices.ContainsFunc(c.Models, func(m backend.HostedModel) bool { return m.ID == model })
}

// serving returns the model that speaks for a provider when a request names one, which may be of another provider.
func (c *catalogue) serving(provider, named string) (backend.HostedModel, bool) {
	m, ok := c.model(provider, named)
	if !ok && c.offers(named) {
		return c.model(provider, "")
	}
	return m, ok
}

// model returns a model of a provider, for an empty id the default one: v3 of ProviderA, else the first of the list.
func (c *catalogue) model(provider, id string) (backend.HostedModel, bool) {
	var first *backend.HostedModel
	for i, m := range c.Models {
		switch {
		case m.Provider != provider:
		case m.ID == id, id == "" && m.ID == backend.HostedV3:
			return m, true
		case first == nil:
			first = &c.Models[i]
		}
	}
	if id != "" || first == nil {
		return backend.HostedModel{}, false
	}
	return *first, true
}

// uuid is the form of the ids of voices in the contract, whose letters may be of any case.
var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// voice returns a voice.
func (c *catalogue) voice(id string) (backend.HostedVoice, bool) {
	i, ok := c.byID[id]
	if !ok && uuid.MatchString(id) {
		i = slices.IndexFunc(c.Voices, func(v backend.HostedVoice) bool { return strings.EqualFold(v.ID, id) })
		ok = i >= 0
	}
	if !ok {
		return backend.HostedVoice{}, false
	}
	return c.Voices[i], true
}

// Models returns the models of the service.
func (s *voiceList) Models(ctx context.Context) ([]backend.HostedModel, error) {
	list, _, err := s.catalogue(ctx, false)
	if err != nil {
		return nil, err
	}
	return list.Models, nil
}

// catalogue returns what the service offers, and whether that is stale. A kept list is returned at once and, when it is old,
// requested again in the background; refresh waits for the new one. While the service cannot be reached, the kept one is
// returned. Errors: hosted_not_configured, hosted_not_signed_in, and without a kept list offline and those of the service.
func (s *voiceList) catalogue(ctx context.Context, refresh bool) (list *catalogue, stale bool, err error) {
	account, err := s.o.Credentials.account()
	if err != nil {
		return nil, false, err
	}
	list = s.kept(account)
	if _, err := s.o.Credentials.service(); err != nil { // offline
		if list == nil {
			return nil, false, err
		}
		return list, true, nil
	}
	if list != nil && !refresh {
		fresh := within(s.o.Now().Sub(list.FetchedAt), voicesAge)
		if !fresh {
			s.mu.Lock()
			s.requestVoices(account)
			s.mu.Unlock()
		}
		return list, !fresh, nil
	}
	s.mu.Lock()
	r := s.requestVoices(account)
	s.mu.Unlock()
	select {
	case <-r.done:
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	switch {
	case r.err == nil && r.account == account:
		return s.kept(account), false, nil
	case r.account != account: // it was another account's
		return s.catalogue(ctx, refresh)
	case list != nil && passing(r.err):
		return list, true, nil
	}
	return nil, false, client.AsError(r.err)
}

// passing reports whether an error says nothing about the account or the request, so that what is kept still serves.
func passing(err error) bool {
	var failed *client.Error
	if errors.As(err, &failed) && (failed.Status == http.StatusTooManyRequests || failed.Status >= http.StatusInternalServerError) {
		return true
	}
	switch client.AsError(err).Code {
	case backend.CodeOffline, backend.CodeHostedUnreachable, backend.CodeHostedBadAnswer:
		return true
	default:
		return false
	}
}

// requestVoices returns the request of the catalogue that is under way, or starts one for the account; mu is held.
func (s *voiceList) requestVoices(account string) *voicesRequest {
	st := &s.voices
	if st.request != nil {
		return st.request
	}
	r := &voicesRequest{account: account, done: make(chan struct{}), err: backend.ErrCancelled}
	st.request = r
	run := func(ctx context.Context) {
		defer func() {
			s.mu.Lock()
			st.request = nil
			s.mu.Unlock()
			close(r.done)
		}()
		r.err = s.fetchCatalogue(ctx, account)
	}
	if !s.goRun("hosted voices", run) {
		st.request = nil
		close(r.done)
	}
	return r
}

// fetchCatalogue reads voices, models, filters and favourites and keeps them.
func (s *voiceList) fetchCatalogue(ctx context.Context, account string) error {
	c := s.o.Client
	voices, err := c.Voices(ctx)
	if err != nil {
		return err
	}
	models, err := c.Models(ctx)
	if err != nil {
		return err
	}
	filters, err := c.Filters(ctx)
	if err != nil {
		return err
	}
	prices, err := c.Prices(ctx)
	if err != nil { // voices are of use without their prices
		s.o.Log.Warn("the prices of the hosted service cannot be read", "error", err)
		if former := s.kept(account); former != nil {
			prices = former.Prices
		}
	}
	for i, v := range voices {
		voices[i] = normalized(v)
	}
	list := &catalogue{
		Account: account, FetchedAt: s.now(), Voices: voices, Models: models, Filters: withoutNulls(filters), Prices: prices,
	}
	if err := s.stars.lock(ctx); err != nil { // so that a favourite that changes meanwhile stays changed
		return err
	}
	defer s.stars.unlock()
	favorites, err := c.Favorites(ctx)
	if err != nil {
		return err
	}
	starred := make(map[string]bool, len(favorites))
	for _, v := range favorites {
		starred[v.ID] = true
	}
	for i, v := range voices {
		voices[i].Favorite = starred[v.ID]
	}
	if now, err := s.o.Credentials.account(); err != nil || now != account { // it may be that of the other one
		return backend.ErrCancelled.WithCause(err)
	}
	s.keep(list)
	s.o.Changed()
	return nil
}

// normalized returns a voice with a language in the form of BCP 47 and one of our genders, empty where it has neither.
func normalized(v backend.HostedVoice) backend.HostedVoice {
	v.Gender = backend.GenderOf(string(v.Gender))
	if tag, ok := backend.CanonicalLanguage(v.Language); ok {
		v.Language = tag
	}
	return v
}

func withoutNulls(f client.Filters) client.Filters {
	for _, list := range []*[]string{&f.Providers, &f.Genders, &f.Languages, &f.Accents, &f.Categories} {
		if *list == nil {
			*list = []string{}
		}
	}
	return f
}

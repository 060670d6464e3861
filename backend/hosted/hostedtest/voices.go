package hostedtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
)

var providers = []string{"ProviderA", "ProviderB", "ProviderC"}

// modelsOf are the models of each provider; the first is its own default.
var modelsOf = map[string][]string{
	"ProviderA": {"providerA-v3", "providerA-multilingual-v2", "providerA-flash-v2-5"},
	"ProviderB": {"providerB-2-5-flash", "providerB-2-5-pro"},
	"ProviderC": {"providerC-neural2", "providerC-wavenet"},
}

// VoiceID returns the id of the n-th voice, from 0; their providers take turns, so 0, 1 and 2 are voices of A, B and C.
func VoiceID(n int) string { return uuid(1, n) }

func newVoices(o Options) []object {
	n := o.Voices
	if n == 0 {
		n = 9
	}
	voices := make([]object, 0, n)
	languages, accents := []string{"en", "de", "fr"}, []string{"United States", "Germany", "France"}
	for i := range n {
		provider := providers[i%len(providers)]
		supported := modelsOf[provider]
		if provider == "ProviderA" && i%2 == 1 {
			supported = supported[1:] // not made for v3
		}
		voices = append(voices, object{
			"id": VoiceID(i), "name": fmt.Sprintf("Voice %d", i), "gender": []string{"female", "male"}[i%2], "provider": provider,
			"accent": accents[i%7%3], "language": languages[i%7%3], "category": []string{"conversational", "narrator"}[i%5%2],
			"metadata": object{"supported_models": supported},
		})
	}
	return voices
}

// shown returns a voice with the address of its preview, which is known only when the service runs.
func (s *Service) shown(v object) object {
	all := object{"preview_url": s.link("previews", v["id"].(string)+".mp3")}
	for k, value := range v {
		all[k] = value
	}
	return all
}

func (s *Service) voices(w http.ResponseWriter, _ *http.Request) {
	voices := make([]object, 0, len(s.account.voices))
	for _, v := range s.account.voices {
		voices = append(voices, s.shown(v))
	}
	answer(w, http.StatusOK, object{"voices": voices})
}

func (a *account) filters(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, object{
		"providers": a.values("provider"), "genders": a.values("gender"), "languages": a.values("language"),
		"accents": a.values("accent"), "categories": a.values("category"),
	})
}

// values returns the sorted values of a field over all voices.
func (a *account) values(field string) []string {
	values := []string{}
	for _, v := range a.voices {
		values = append(values, v[field].(string))
	}
	slices.Sort(values)
	return slices.Compact(values)
}

func (s *Service) favorites(w http.ResponseWriter, _ *http.Request) {
	voices := []object{}
	for _, id := range s.account.favorites {
		if v, ok := s.account.voice(id); ok {
			voices = append(voices, s.shown(v))
		}
	}
	answer(w, http.StatusOK, object{"favorites": voices})
}

func (a *account) toggle(w http.ResponseWriter, r *http.Request) {
	var body struct {
		VoiceID string `json:"voiceId"`
	}
	if json.NewDecoder(r.Body).Decode(&body) != nil || body.VoiceID == "" {
		refuse(w, http.StatusBadRequest, "", "voiceId is missing.")
		return
	}
	if _, ok := a.voice(body.VoiceID); !ok {
		refuse(w, http.StatusNotFound, "", "There is no such voice.")
		return
	}
	i := slices.Index(a.favorites, body.VoiceID)
	if i >= 0 {
		a.favorites = slices.Delete(a.favorites, i, i+1)
	} else {
		a.favorites = append(a.favorites, body.VoiceID)
	}
	answer(w, http.StatusOK, object{"success": true, "favorited": i < 0})
}

func (a *account) voice(id string) (object, bool) {
	for _, v := range a.voices {
		if v["id"] == id {
			return v, true
		}
	}
	return nil, false
}

func models(w http.ResponseWriter, _ *http.Request) {
	models := []object{}
	for i, provider := range providers {
		for _, id := range modelsOf[provider] {
			var plan any = "pro"
			if provider == "ProviderC" {
				plan = nil
			}
			models = append(models, object{
				"id": id, "name": id, "provider": provider, "description": "A model of the test service.",
				"category": []string{"Expressive", "Fast", "Standard"}[i], "planRequired": plan,
			})
		}
	}
	answer(w, http.StatusOK, object{
		"version": "1", "timestamp": "2026-01-02T03:04:05.000Z", "models": models,
		"metadata": object{"total": len(models), "categories": []string{"Expressive", "Fast", "Standard"}, "note": ""},
	})
}

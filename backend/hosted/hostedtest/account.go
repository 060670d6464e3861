package hostedtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

type object = map[string]any

// account is the one account of the service.
type account struct {
	credits   int64
	payg      int64
	plan      string
	expires   *time.Time
	keys      []apiKey
	tokens    []string
	favorites []string
	voices    []object
	files     map[string]file
	calls     int
	kept      map[string]kept // by idempotency key
}

type apiKey struct {
	id, name, text string
	created        time.Time
	used, ended    *time.Time
}

func newAccount(o Options) account {
	expires := time.Now().Add(30 * 24 * time.Hour)
	return account{
		credits: 100_000, plan: "pro", expires: &expires, tokens: []string{Token}, files: map[string]file{}, kept: map[string]kept{},
		keys:   []apiKey{{id: uuid(2, 0), name: "test", text: cmp.Or(o.Key, Key), created: time.Now()}},
		voices: newVoices(o),
	}
}

// SetPlan changes the plan; the date at which it ends may be nil.
func (s *Service) SetPlan(plan string, expires *time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.account.plan, s.account.expires = plan, expires
}

// SetCredits changes the balance.
func (s *Service) SetCredits(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.account.credits = n
}

// Credits returns the balance.
func (s *Service) Credits() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.account.credits
}

// Charged returns how many calls of speech were charged.
func (s *Service) Charged() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.account.calls
}

// SetTokens replaces the access tokens that are accepted.
func (s *Service) SetTokens(tokens ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.account.tokens = tokens
}

// RevokeKeys revokes all API keys.
func (s *Service) RevokeKeys() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	for i := range s.account.keys {
		s.account.keys[i].ended = &now
	}
}

// user lets only requests with a valid credential through; key management needs a token. The handler holds mu.
func (s *Service) user(next func(w http.ResponseWriter, r *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		key, ok := s.account.caller(r)
		switch {
		case !ok:
			w.Header().Set("Www-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized, "", "The credential is missing or invalid.")
		case key && strings.HasPrefix(r.URL.Path, "/api/v1/user/api-keys"):
			refuse(w, http.StatusForbidden, "", "API keys cannot manage API keys.")
		default:
			next(w, r)
		}
	}
}

// caller reports whether the request has a valid credential, and whether that is an API key.
func (a *account) caller(r *http.Request) (key, ok bool) {
	text, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if bearer && slices.Contains(a.tokens, text) {
		return false, true
	}
	if !bearer {
		text = r.Header.Get("X-Api-Key")
	}
	for i, k := range a.keys {
		if k.text == text && k.ended == nil {
			now := time.Now()
			a.keys[i].used = &now
			return true, true
		}
	}
	return false, false
}

func (a *account) balance(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, object{
		"credits": a.credits, "payg_credits": a.payg, "plan": a.plan, "expiresAt": optional(a.expires),
	})
}

func (a *account) checkRenewal(w http.ResponseWriter, _ *http.Request) {
	action := "none"
	if a.plan != "free" && a.expires != nil && a.expires.Before(time.Now()) {
		action = "subscription_expired_reset_to_free"
		a.plan, a.credits, a.expires = "free", 10_000, nil
	}
	answer(w, http.StatusOK, object{
		"action": action, "credits": a.credits, "plan": a.plan, "expiresAt": optional(a.expires),
	})
}

func (a *account) createKey(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Name string `json:"name"`
	}
	if r.ContentLength != 0 && json.NewDecoder(r.Body).Decode(&body) != nil {
		refuse(w, http.StatusBadRequest, "", "The body is not JSON.")
		return
	}
	active := 0
	for _, k := range a.keys {
		if k.ended == nil {
			active++
		}
	}
	switch {
	case a.plan == "free" && a.payg == 0:
		refuse(w, http.StatusForbidden, "PAID_ACCESS_REQUIRED", "API keys need a paid plan.")
		return
	case active >= 10:
		refuse(w, http.StatusConflict, "KEY_LIMIT_REACHED", "There are 10 active keys.")
		return
	}
	n := len(a.keys)
	key := apiKey{id: uuid(2, n), name: body.Name, text: fmt.Sprintf("svc_sk_made%04d%031d", n, n), created: time.Now()}
	a.keys = append(a.keys, key)
	answer(w, http.StatusCreated, object{"success": true, "key": key.text, "apiKey": key.view()})
}

func (a *account) listKeys(w http.ResponseWriter, _ *http.Request) {
	keys := []object{}
	for _, k := range a.keys {
		keys = append(keys, k.view())
	}
	answer(w, http.StatusOK, object{"success": true, "apiKeys": keys})
}

func (a *account) revokeKey(w http.ResponseWriter, r *http.Request) {
	for i, k := range a.keys {
		if k.id != r.PathValue("id") {
			continue
		}
		if k.ended == nil {
			now := time.Now()
			a.keys[i].ended = &now
		}
		answer(w, http.StatusOK, object{"success": true})
		return
	}
	refuse(w, http.StatusNotFound, "", "There is no such key.")
}

func (k apiKey) view() object {
	return object{
		"id": k.id, "keyPrefix": k.text[:12], "name": k.name, "createdAt": instant(k.created),
		"lastUsedAt": optional(k.used), "revokedAt": optional(k.ended),
	}
}

func optional(at *time.Time) any {
	if at == nil {
		return nil
	}
	return instant(*at)
}

// answer writes JSON.
func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// refuse writes an error of the contract.
func refuse(w http.ResponseWriter, status int, code, sentence string) {
	body := object{"error": sentence}
	if code != "" {
		body["code"] = code
	}
	answer(w, status, body)
}

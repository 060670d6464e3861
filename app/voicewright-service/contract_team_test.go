package main_test

import (
	"net/http"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// checkWhoGetsAnAccount: every path with credentials answers 403 to those without access, before all else about the request.
func checkWhoGetsAnAccount(w *world) {
	w = newWorld(w.T, worldOptions{access: service.Access{Domains: []string{"example.com"}, Groups: []string{"team"}}})
	u := w.user(service.Pro)
	key := u.key()
	eve := (&client{world: w, subject: "eve"}).token(body{"email": "x@example.org"})
	document := u.get("/openapi.json").is(200).json["paths"].(map[string]any)
	refused := 0
	for path, operations := range document {
		for method := range operations.(map[string]any) {
			method = strings.ToUpper(method)
			if r := eve.with(nil).do(method, path, nil); r.status == http.StatusUnauthorized {
				eve.do(method, path, nil).fails(403, "")
				refused++
			}
		}
	}
	require.GreaterOrEqual(w, refused, 16)
	_, err := w.store.Account(w.Context(), "eve")
	require.ErrorIs(w, err, service.ErrNotFound)
	eve.token(body{"exp": 1}).get("/api/v1/user/credits").fails(401, "")
	eve.token(body{"groups": []string{"team"}}).get("/api/v1/user/credits").is(200)
	u.token(body{"email": "x@example.org"}).get("/api/v1/user/credits").fails(403, "")
	key.get("/api/v1/user/credits").fails(403, "")
	u.token(body{"email_verified": false}).get("/api/v1/user/credits").fails(403, "")
	u.get("/api/v1/user/credits").is(200)
	key.get("/api/v1/user/credits").is(200)
}

// checkAccountsInAdvance: of two users with the address of an account that waits, the first gets it.
func checkAccountsInAdvance(w *world) {
	w = newWorld(w.T, worldOptions{access: service.Access{InvitedOnly: true}})
	made, err := w.store.CreateAccount(w.Context(), service.NewAccount{Email: "Ann@example.org", Plan: service.Free, Credits: 70},
		service.Change{Actor: "olga"})
	require.NoError(w, err)
	ann, eve := &client{world: w, subject: "ann"}, &client{world: w, subject: "eve"}
	eve.token(body{"email": "ann@example.org", "email_verified": "false"}).get("/api/v1/user/credits").fails(403, "")
	require.EqualValues(w, 70, ann.token(body{"email": " ANN@EXAMPLE.org"}).credits())
	eve.token(body{"email": "ann@example.org"}).get("/api/v1/user/credits").fails(403, "")
	require.Equal(w, made.ID, ann.account().ID)
}

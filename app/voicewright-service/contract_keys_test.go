package main_test

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

var keyFormat = regexp.MustCompile(`^svc_sk_[A-Za-z0-9_-]{43}$`)

func requireKeyRecord(w *world, k body) {
	requireFields(w, k, "id", "keyPrefix", "name", "createdAt", "lastUsedAt", "revokedAt")
	require.NoError(w, uuid.Validate(k["id"].(string)))
	require.IsType(w, "", k["name"])
	requireTime(w, k["createdAt"])
}

func (c *client) keys() []body {
	c.Helper()
	return c.get("/api/v1/user/api-keys").is(200).has("success", "apiKeys").list("apiKeys")
}

func checkKeyRecord(w *world) {
	u := w.user(service.Pro)
	r := u.post("/api/v1/user/api-keys", body{"name": "My script"}).is(201).has("success", "key", "apiKey")
	record, key := body(r.json["apiKey"].(map[string]any)), r.text("key")
	requireKeyRecord(w, record)
	require.Equal(w, "My script", record["name"])
	require.Equal(w, key[:12], record["keyPrefix"])
	require.WithinDuration(w, w.clock.time(), requireTime(w, record["createdAt"]), time.Second)
	require.Nil(w, record["lastUsedAt"])
	require.Nil(w, record["revokedAt"])
	require.Equal(w, []body{record}, u.keys())
	w.clock.wait(time.Minute)
	u.with(map[string]string{"X-API-Key": key}).get("/api/v1/user/credits").is(200)
	require.WithinDuration(w, w.clock.time(), requireTime(w, u.keys()[0]["lastUsedAt"]), time.Second)
	u.do("DELETE", "/api/v1/user/api-keys/"+record["id"].(string), nil).is(200).has("success")
	require.WithinDuration(w, w.clock.time(), requireTime(w, u.keys()[0]["revokedAt"]), time.Second)
	unnamed := u.post("/api/v1/user/api-keys", nil).is(201)
	require.Equal(w, "", unnamed.json["apiKey"].(map[string]any)["name"])
	u.post("/api/v1/user/api-keys", body{"name": 5}).fails(400, "")
}

func checkKeyFormat(w *world) {
	u := w.user(service.Pro)
	seen := map[string]bool{}
	for range 10 {
		key := u.post("/api/v1/user/api-keys", nil).is(201).text("key")
		require.Regexp(w, keyFormat, key)
		require.False(w, seen[key])
		seen[key] = true
	}
}

// checkKeyIsNotStored: the key is in one answer, and in no file of the service; its hash is in the database.
func checkKeyIsNotStored(w *world) {
	w = newWorld(w.T, worldOptions{})
	u := w.user(service.Pro)
	key := u.post("/api/v1/user/api-keys", nil).is(201).text("key")
	u.with(map[string]string{"X-API-Key": key}).get("/api/v1/user/credits").is(200)
	require.NotContains(w, string(u.get("/api/v1/user/api-keys").is(200).raw), key)
	w.close()
	hash := sha256.Sum256([]byte(key))
	hashed := false
	require.NoError(w, filepath.WalkDir(w.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		require.NotContains(w, string(content), key[12:], path)
		hashed = hashed || bytes.Contains(content, hash[:])
		return err
	}))
	require.True(w, hashed, "the database has the SHA-256 of the key")
	w.open()
}

func checkCreateKey(w *world) {
	free, payg, pro := w.user(service.Free), w.user(service.Free, 1), w.user(service.Pro)
	free.post("/api/v1/user/api-keys", nil).fails(403, "PAID_ACCESS_REQUIRED")
	require.Empty(w, free.keys())
	r := payg.post("/api/v1/user/api-keys", nil).is(201)
	require.Equal(w, true, r.json["success"])
	payg.with(map[string]string{"X-API-Key": r.text("key")}).get("/api/v1/user/credits").is(200)
	require.NotContains(w, string(payg.get("/api/v1/user/api-keys").raw), r.text("key"), "only once")
	pro.key().get("/api/v1/user/credits").is(200)
	key := pro.key()
	pro.setPlan(service.Free, 0)
	key.get("/api/v1/user/credits").fails(403, "PAID_ACCESS_REQUIRED")
	key.say(key.speech(service.ProviderC, "providerC-neural2", nil)).fails(403, "PAID_ACCESS_REQUIRED")
}

func checkTenKeys(w *world) {
	u := w.user(service.Pro)
	for range 10 {
		u.post("/api/v1/user/api-keys", nil).is(201)
	}
	u.post("/api/v1/user/api-keys", nil).fails(409, "KEY_LIMIT_REACHED")
	u.do("DELETE", "/api/v1/user/api-keys/"+u.keys()[3]["id"].(string), nil).is(200)
	u.post("/api/v1/user/api-keys", nil).is(201)
	u.post("/api/v1/user/api-keys", nil).fails(409, "KEY_LIMIT_REACHED")
	w.user(service.Pro).post("/api/v1/user/api-keys", nil).is(201)
}

func checkRevoke(w *world) {
	u, other := w.user(service.Pro), w.user(service.Pro)
	key := u.key()
	id := u.keys()[0]["id"].(string)
	other.do("DELETE", "/api/v1/user/api-keys/"+id, nil).fails(404, "")
	key.get("/api/v1/user/credits").is(200)
	r := u.do("DELETE", "/api/v1/user/api-keys/"+id, nil).is(200).has("success")
	require.Equal(w, true, r.json["success"])
	key.get("/api/v1/user/credits").fails(401, "")
	after := u.keys()
	require.Len(w, after, 1, "it stays in the list")
	require.NotNil(w, after[0]["revokedAt"])
	w.clock.wait(time.Minute)
	u.do("DELETE", "/api/v1/user/api-keys/"+id, nil).is(200)
	require.Equal(w, after, u.keys(), "revoking it again changes nothing")
	for _, method := range []string{"POST", "PUT", "PATCH"} {
		u.do(method, "/api/v1/user/api-keys/"+id, body{"revokedAt": nil}).is(405)
	}
	key.get("/api/v1/user/credits").fails(401, "")
	u.do("DELETE", "/api/v1/user/api-keys/"+uuid.NewString(), nil).fails(404, "")
}

func checkKeyList(w *world) {
	u := w.user(service.Pro)
	u.key()
	u.do("DELETE", "/api/v1/user/api-keys/"+u.keys()[0]["id"].(string), nil).is(200)
	u.key()
	r := u.get("/api/v1/user/api-keys").is(200).has("success", "apiKeys")
	require.Equal(w, true, r.json["success"])
	var active, ended int
	for _, k := range r.list("apiKeys") {
		requireKeyRecord(w, k)
		if k["revokedAt"] == nil {
			active++
		} else {
			ended++
		}
	}
	require.Equal(w, []int{1, 1}, []int{active, ended})
}

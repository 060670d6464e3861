package s3_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/stretchr/testify/require"
)

// bucketRules are the lifecycle rules of a bucket, which the store of these tests does not know.
type bucketRules struct {
	mu      sync.Mutex
	content string // of the answer; empty without rules
	header  string
	puts    []*http.Request
}

func (b *bucketRules) answer(w http.ResponseWriter, r *http.Request) bool {
	if !r.URL.Query().Has("lifecycle") {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case r.Method == http.MethodPut:
		body, _ := io.ReadAll(r.Body)
		b.content, b.puts = string(body), append(b.puts, r)
	case b.content == "":
		return xmlError(404, "NoSuchLifecycleConfiguration", "The lifecycle configuration does not exist")(w, r)
	default:
		w.Header().Set("X-Amz-Transition-Default-Minimum-Object-Size", b.header)
		_, _ = io.WriteString(w, b.content)
	}
	return true
}

const ownRule = "<Rule><ID>voicewright-audio team/files</ID><Filter><Prefix>team/files/2</Prefix></Filter><Status>Enabled</Status>" +
	"<Expiration><Days>2</Days></Expiration><AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation>" +
	"</AbortIncompleteMultipartUpload></Rule>"

func TestRule(t *testing.T) {
	server := serve(t)
	store, log := server.open(t)
	rules := &bucketRules{}
	server.breaks(rules.answer)
	const begin, end = `<LifecycleConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">`, "</LifecycleConfiguration>"
	store.Prepare(t.Context())
	require.Equal(t, begin+ownRule+end, rules.content)
	require.Contains(t, rules.puts[0].Header.Get("Authorization"), "Signature=")
	require.NotEmpty(t, rules.puts[0].Header.Get("Content-Md5"))
	store.Prepare(t.Context())
	require.Len(t, rules.puts, 1, "it is there")

	const others = "<Rule><ID>move</ID><Status>Enabled</Status><Filter></Filter>" +
		"<Transition><Days>30</Days><StorageClass>GLACIER</StorageClass></Transition>" +
		"<Transition><Days>90</Days><StorageClass>DEEP_ARCHIVE</StorageClass></Transition><New>a &amp; b</New></Rule>" +
		"<Rule><ID>voicewright-audio other</ID><Status>Disabled</Status></Rule>"
	rules.content = `<?xml version="1.0"?>` + "\n" + begin + others + end
	rules.header = "varies_by_storage_class"
	store.Prepare(t.Context())
	require.Equal(t, begin+others+ownRule+end, rules.content, "those of others stay as they are")
	require.Equal(t, rules.header, rules.puts[1].Header.Get("X-Amz-Transition-Default-Minimum-Object-Size"))

	changed := begin + others + strings.Replace(ownRule, "Enabled", "Disabled", 1) + end
	rules.content = changed
	store.Prepare(t.Context())
	require.Equal(t, changed, rules.content, "what the operator has changed stays")
	require.Empty(t, log.String())
}

// TestRuleWouldRemoveOthers: no rule is set where it would remove what others keep in the bucket.
func TestRuleWouldRemoveOthers(t *testing.T) {
	for _, key := range []string{
		"team/files/2024/podcast.mp3", "team/files/2", "team/files/2026/11/28/cover.png", "team/files/2027/01/01/" + audioName(day, 1),
	} {
		server := serve(t)
		store, log := server.open(t)
		rules := &bucketRules{}
		server.breaks(rules.answer)
		create(t, store, audioName(day, 1), "x")
		_, err := server.objects.PutObject(bucket, key, nil, strings.NewReader("x"), 1, nil)
		require.NoError(t, err)
		store.Prepare(t.Context())
		require.Empty(t, rules.puts, key)
		require.Contains(t, log.String(), "begin with team/files/2", key)
	}
	server := serve(t)
	store, log := server.open(t)
	rules := &bucketRules{}
	server.breaks(rules.answer)
	create(t, store, audioName(day, 1), "x")
	for _, key := range []string{"team/2024/podcast.mp3", "team/files/podcast.mp3", "2024/a.mp3"} {
		_, err := server.objects.PutObject(bucket, key, nil, strings.NewReader("x"), 1, nil)
		require.NoError(t, err)
	}
	store.Prepare(t.Context())
	require.Len(t, rules.puts, 1, "what the rule leaves")
	require.Empty(t, log.String())
}

// TestRuleIsNotPermitted: the service works without.
func TestRuleIsNotPermitted(t *testing.T) {
	for name, fault := range map[string]func(http.ResponseWriter, *http.Request) bool{
		"forbidden": xmlError(403, "AccessDenied", "no "+secretKey), "unknown": xmlError(501, "NotImplemented", "no such thing"),
		"a list": func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = io.WriteString(w, "<ListBucketResult/>")
			return true
		},
		"nothing": func(http.ResponseWriter, *http.Request) bool { return true },
	} {
		server := serve(t)
		store, log := server.open(t)
		server.breaks(func(w http.ResponseWriter, r *http.Request) bool {
			require.True(t, r.Method == http.MethodGet || !r.URL.Query().Has("lifecycle"), "rules that cannot be read are not replaced")
			return r.URL.Query().Has("lifecycle") && fault(w, r)
		})
		store.Prepare(t.Context())
		require.Equal(t, 1, strings.Count(log.String(), `"level":"WARN"`), "%s: %s", name, log)
		require.Contains(t, log.String(), "set a rule for old audio", name)
		create(t, store, "a.mp3", "x")
	}
}

// TestHalfSentUploads removes what a killed process left, of this service only.
func TestHalfSentUploads(t *testing.T) {
	server := serve(t)
	past := time.Now().Add(-2 * time.Hour)
	server.store = gofakes3.New(
		server.objects, gofakes3.WithTimeSource(gofakes3.FixedTimeSource(past)), gofakes3.WithTimeSkewLimit(0),
	).Server()
	store, _ := server.open(t)
	server.breaks((&bucketRules{content: "<LifecycleConfiguration>" + ownRule + "</LifecycleConfiguration>"}).answer)
	for _, key := range []string{"team/files/2026/11/28/" + audioName(day, 1), "team/files/else", "team/other"} {
		answer, err := http.Post(server.URL+"/"+bucket+"/"+key+"?uploads", "", nil)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, http.StatusOK, answer.StatusCode)
	}
	http.DefaultClient.CloseIdleConnections()
	store.Prepare(t.Context())
	require.Equal(t, "team/files/else team/other", server.halfSent(t))
}

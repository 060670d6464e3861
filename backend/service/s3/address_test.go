package s3_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service/s3"
)

func TestParse(t *testing.T) {
	for given, want := range map[string]s3.Address{
		"s3://team-audio/voicewright?endpoint=https://s3.example.org&region=eu-central-1": {
			Bucket: "team-audio", Prefix: "voicewright", Endpoint: "https://s3.example.org", Region: "eu-central-1",
		},
		"s3://team-audio/a/b.c/d_e/?endpoint=https://s3.example.org:9000": {
			Bucket: "team-audio", Prefix: "a/b.c/d_e", Endpoint: "https://s3.example.org:9000", Region: "us-east-1",
		},
		"s3://team.audio?endpoint=https%3A%2F%2FS3.Example.org%3A443%2F": {
			Bucket: "team.audio", Endpoint: "https://s3.example.org", Region: "us-east-1",
		},
		"s3://team-audio/?endpoint=https://s3.eu-central-1.amazonaws.com": {
			Bucket: "team-audio", Endpoint: "https://s3.eu-central-1.amazonaws.com", Region: "eu-central-1",
		},
		"s3://team-audio/x?endpoint=http://127.0.0.1:9000": {
			Bucket: "team-audio", Prefix: "x", Endpoint: "http://127.0.0.1:9000", Region: "us-east-1",
		},
		"s3://team-audio/x?endpoint=http://[::1]:9000&region=auto": {
			Bucket: "team-audio", Prefix: "x", Endpoint: "http://[::1]:9000", Region: "auto",
		},
		"s3://team-audio/x?endpoint=http://localhost": {
			Bucket: "team-audio", Prefix: "x", Endpoint: "http://localhost", Region: "us-east-1",
		},
		"s3://team-audio/x?endpoint=http://store:9000&insecure=true": {
			Bucket: "team-audio", Prefix: "x", Endpoint: "http://store:9000", Region: "us-east-1",
		},
	} {
		got, err := s3.Parse(given)
		require.NoError(t, err, given)
		require.Equal(t, want, got, given)
		again, err := s3.Parse(got.String() + map[bool]string{true: "&insecure=true"}[strings.Contains(given, "insecure")])
		require.NoError(t, err, got)
		require.Equal(t, want, again, "as it is shown")
		_, err = s3.Open(s3.Options{Address: got})
		require.Error(t, err, "without credentials")
		open(t, got)
	}
}

func TestParseRefuses(t *testing.T) {
	const good = "endpoint=https://s3.example.org"
	for given, want := range map[string]string{
		"":                               "s3://BUCKET/PREFIX",
		"/var/lib/files":                 "s3://BUCKET/PREFIX",
		"https://s3.example.org/bucket":  "s3://BUCKET/PREFIX",
		"s3:bucket/prefix?" + good:       "s3://BUCKET/PREFIX",
		"s3://bucket/a?" + good + "#x":   "s3://BUCKET/PREFIX",
		"s3:///prefix?" + good:           "has the bucket",
		"s3://No_Bucket/a?" + good:       "has the bucket",
		"s3://bucket:9000/a?" + good:     "has the bucket",
		"s3://bu/a?" + good:              "has the bucket",
		"s3://bucket/a//b?" + good:       "prefix",
		"s3://bucket/../b?" + good:       "prefix",
		"s3://bucket/a%2f..%2fb?" + good: "prefix",
		"s3://bucket/a b?" + good:        "prefix",
		"s3://bucket/é?" + good:          "prefix",
		"s3://bucket/" + strings.Repeat("a", 201) + "?" + good: "at most 200",
		"s3://bucket/a":                                           "has no endpoint",
		"s3://bucket/a?endpoint=":                                 "has no endpoint",
		"s3://bucket/a?endpoint=s3.example.org":                   "https://HOST",
		"s3://bucket/a?endpoint=https://s3.example.org/path":      "https://HOST",
		"s3://bucket/a?endpoint=https://":                         "https://HOST",
		"s3://bucket/a?endpoint=https://s3.example.org:99999":     "https://HOST",
		"s3://bucket/a?endpoint=ftp://s3.example.org":             "https://HOST",
		"s3://bucket/a?endpoint=http://s3.example.org":            "insecure=true",
		"s3://bucket/a?endpoint=http://10.0.0.5:9000":             "insecure=true",
		"s3://bucket/a?endpoint=http://127.0.0.1.example.org":     "insecure=true",
		"s3://bucket/a?endpoint=http://10.0.0.5&insecure=yes":     "another value than true",
		"s3://bucket/a?" + good + "&insecure=true":                "means nothing",
		"s3://bucket/a?" + good + "&" + good:                      `"endpoint" twice`,
		"s3://bucket/a?" + good + "&region=a/b":                   "region",
		"s3://bucket/a?" + good + "&style=path":                   `unknown parameter "style"`,
		"s3://bucket/a?" + good + ";x":                            "NAME=VALUE",
		"s3://AKIA:hush@bucket/a?" + good:                         "must not contain credentials",
		"s3://AKIA@bucket/a?" + good:                              "must not contain credentials",
		"s3://bucket/a?endpoint=https://AKIA:hush@s3.example.org": "must not contain credentials",
		"s3://bucket/a?" + good + "&secret_key=hush":              "must not contain credentials",
		"s3://bucket/a?" + good + "&AWS_ACCESS_KEY_ID=hush":       "must not contain credentials",
		"s3://AKIA:hu%sh@bucket/a?" + good:                        "s3://BUCKET/PREFIX",
		"s3://AKIA:hush@buck et/a?" + good:                        "s3://BUCKET/PREFIX",
	} {
		_, err := s3.Parse(given)
		require.ErrorContains(t, err, want, given)
		require.NotContains(t, err.Error(), "hu", given)
		require.NotContains(t, err.Error(), "AKIA", given)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("s3://team-audio/voicewright?endpoint=https://s3.example.org&region=eu-central-1")
	f.Add("s3://a:b@c?endpoint=http://[::1]:1&insecure=true")
	f.Fuzz(func(t *testing.T, given string) {
		a, err := s3.Parse(given)
		if err != nil {
			require.Zero(t, a)
			return
		}
		again, err := s3.Parse(a.String())
		if err != nil {
			again, err = s3.Parse(a.String() + "&insecure=true")
		}
		require.NoError(t, err)
		require.Equal(t, a, again)
	})
}

func TestLocal(t *testing.T) {
	for endpoint, want := range map[string]bool{
		"https://127.0.0.1:9000": true, "http://localhost": true, "https://[::1]": true, "https://s3.example.org": false,
		"https://localhost.example.org": false,
	} {
		a, err := s3.Parse("s3://bucket/a?endpoint=" + endpoint)
		require.NoError(t, err)
		require.Equal(t, want, a.Local(), endpoint)
	}
}

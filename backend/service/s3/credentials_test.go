package s3_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service/s3"
)

// none is an environment without variables.
func none(string) string { return "" }

func TestCredentialsOfTheEnvironment(t *testing.T) {
	environment := map[string]string{"AWS_ACCESS_KEY_ID": accessKey, "AWS_SECRET_ACCESS_KEY": secretKey}
	got, err := s3.ReadCredentials("", func(name string) string { return environment[name] })
	require.NoError(t, err)
	want, err := s3.NewCredentials(accessKey, secretKey)
	require.NoError(t, err)
	require.Equal(t, want, got)

	_, err = s3.ReadCredentials("", none)
	require.ErrorContains(t, err, "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
	for name := range environment {
		_, err := s3.ReadCredentials("", func(n string) string {
			if n == name {
				return ""
			}
			return environment[n]
		})
		require.EqualError(t, err, name+" is missing")
	}
}

// TestTemporaryCredentials: they would end while the service runs.
func TestTemporaryCredentials(t *testing.T) {
	environment := map[string]string{
		"AWS_ACCESS_KEY_ID": accessKey, "AWS_SECRET_ACCESS_KEY": secretKey, "AWS_SESSION_TOKEN": "a-" + secretKey,
	}
	_, err := s3.ReadCredentials("", func(name string) string { return environment[name] })
	require.ErrorContains(t, err, "AWS_SESSION_TOKEN belongs to keys that end")
	require.NotContains(t, err.Error(), secretKey)
	file := filepath.Join(t.TempDir(), "credentials")
	require.NoError(t, os.WriteFile(file, []byte("aws_access_key_id = x\naws_secret_access_key = y"), 0o600))
	_, err = s3.ReadCredentials(file, func(name string) string { return environment[name] })
	require.NoError(t, err, "the file has others")
}

func TestCredentialsOfAFile(t *testing.T) {
	want, err := s3.NewCredentials(accessKey, secretKey)
	require.NoError(t, err)
	lines := "aws_access_key_id = " + accessKey + "\naws_secret_access_key=" + secretKey + "\n"
	for name, content := range map[string]string{
		"two lines":  lines,
		"profile":    "[default]\n" + lines,
		"others":     "[work]\naws_access_key_id = x\naws_secret_access_key = y\nno pair\n[ default ]\n" + lines + "[home]\naws_access_key_id = z\n",
		"comments":   "# of the store\n\n; and so on\n" + lines + "region = eu-central-1\n",
		"Windows":    "\ufeff[default]\r\nAWS_ACCESS_KEY_ID = " + accessKey + "\r\nAWS_SECRET_ACCESS_KEY = " + secretKey,
		"no newline": "aws_secret_access_key = " + secretKey + "\naws_access_key_id = " + accessKey,
	} {
		file := filepath.Join(t.TempDir(), "credentials")
		require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
		got, err := s3.ReadCredentials(file, none)
		require.NoError(t, err, name)
		require.Equal(t, want, got, name)
	}
}

func TestCredentialsFileRefused(t *testing.T) {
	lines := "aws_access_key_id = " + accessKey + "\naws_secret_access_key = " + secretKey + "\n"
	for want, content := range map[string]string{
		" has no profile default with aws_access_key_id and aws_secret_access_key": "",
		"has no profile default with aws_access_key_id":                            "[work]\n" + lines,
		"has no profile default":                                                   "[default]\nregion = eu-central-1\n",
		"AWS_SESSION_TOKEN belongs to keys":                                        lines + "aws_session_token = " + secretKey + "\n",
		"AWS_SECRET_ACCESS_KEY is missing":                                         "aws_access_key_id = " + accessKey,
		"AWS_ACCESS_KEY_ID is missing":                                             "[default]\naws_secret_access_key = " + secretKey,
		"line 3 repeats a name":                                                    lines + "aws_secret_access_key = " + secretKey,
		"line 1 is not NAME = VALUE":                                               secretKey + "\n" + lines,
		"AWS_SECRET_ACCESS_KEY has a character":                                    "aws_access_key_id = a\naws_secret_access_key = " + secretKey + " x",
		"larger than 64 KiB":                                                       lines + string(bytes.Repeat([]byte("#\n"), 40_000)),
	} {
		file := filepath.Join(t.TempDir(), "credentials")
		require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
		_, err := s3.ReadCredentials(file, none)
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, file)
		require.NotContains(t, err.Error(), secretKey)
		require.NotContains(t, err.Error(), accessKey)
	}
	_, err := s3.ReadCredentials(filepath.Join(t.TempDir(), "none"), none)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestCredentialsAreHidden formats them in every way in which a log could.
func TestCredentialsAreHidden(t *testing.T) {
	c, err := s3.NewCredentials(accessKey, secretKey)
	require.NoError(t, err)
	options := s3.Options{Credentials: c}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "c", c, "o", options)
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "c", c, "o", options)
	encoded, err := json.Marshal(options)
	require.NoError(t, err)
	for _, text := range []string{
		log.String(), string(encoded), fmt.Sprint(c, &c, options), fmt.Sprintf("%v %+v %#v %s %q", c, options, options, c, c),
	} {
		require.NotContains(t, text, secretKey)
		require.NotContains(t, text, accessKey)
	}
	require.Equal(t, "[hidden]", c.String())
	require.Equal(t, "none", s3.Credentials{}.String())
}

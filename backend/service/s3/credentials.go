package s3

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Credentials are the access key and the secret of a store. Formatted or encoded, they show neither.
type Credentials struct{ accessKey, secretKey string }

// The names of the credentials in the environment, and in lower case in a file.
const (
	accessKeyName = "AWS_ACCESS_KEY_ID"
	secretKeyName = "AWS_SECRET_ACCESS_KEY"
	sessionName   = "AWS_SESSION_TOKEN" // of keys that end
)

const (
	maxCredentialsFile = 64 << 10 // bytes
	defaultProfile     = "default"
)

// NewCredentials returns credentials, or an error that names what is missing.
func NewCredentials(accessKey, secretKey string) (Credentials, error) {
	for name, value := range map[string]string{accessKeyName: accessKey, secretKeyName: secretKey} {
		if strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return Credentials{}, fmt.Errorf("%s has a character that no key of a store has", name)
		}
	}
	switch {
	case accessKey == "" && secretKey == "":
		return Credentials{}, fmt.Errorf("the store of files needs credentials: set %s and %s, or give a file", accessKeyName, secretKeyName)
	case accessKey == "":
		return Credentials{}, fmt.Errorf("%s is missing", accessKeyName)
	case secretKey == "":
		return Credentials{}, fmt.Errorf("%s is missing", secretKeyName)
	}
	return Credentials{accessKey, secretKey}, nil
}

// errTemporary refuses keys that would end while the service runs, after which the store refuses everything.
var errTemporary = fmt.Errorf("%s belongs to keys that end after some hours; give keys that stay valid, and no %[1]s", sessionName)

// ReadCredentials returns the credentials in a file, or without a name those of the environment. A file has the lines
// "aws_access_key_id = ..." and "aws_secret_access_key = ...", as the profile "default" of Amazon's tools; other profiles are left out.
func ReadCredentials(file string, getenv func(string) string) (c Credentials, err error) {
	if file == "" {
		if getenv(sessionName) != "" {
			return Credentials{}, errTemporary
		}
		return NewCredentials(getenv(accessKeyName), getenv(secretKeyName))
	}
	content, err := readFile(file)
	if err != nil {
		return Credentials{}, fmt.Errorf("read credentials: %w", err)
	}
	values, err := parseCredentials(content)
	accessKey, secretKey := values[strings.ToLower(accessKeyName)], values[strings.ToLower(secretKeyName)]
	switch {
	case err != nil:
	case accessKey == "" && secretKey == "":
		return Credentials{}, fmt.Errorf("%s has no profile %s with %s and %s", file, defaultProfile,
			strings.ToLower(accessKeyName), strings.ToLower(secretKeyName))
	case values[strings.ToLower(sessionName)] != "":
		err = errTemporary
	default:
		c, err = NewCredentials(accessKey, secretKey)
	}
	if err != nil {
		return Credentials{}, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// readFile returns the content of a file.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxCredentialsFile+1))
	if err == nil && len(content) > maxCredentialsFile {
		err = fmt.Errorf("%s is larger than %d KiB", path, maxCredentialsFile>>10)
	}
	return content, err
}

// parseCredentials returns the values of the profile "default", which may have no heading. Errors show no line: it may have a secret.
func parseCredentials(content []byte) (map[string]string, error) {
	values, profile := map[string]string{}, defaultProfile
	lines := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(content, []byte("\ufeff"))))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if heading, ok := strings.CutPrefix(line, "["); ok {
			profile = strings.TrimSpace(strings.TrimSuffix(heading, "]"))
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		name = strings.ToLower(strings.TrimSpace(name))
		switch {
		case profile != defaultProfile:
		case !ok:
			return nil, fmt.Errorf("line %d is not NAME = VALUE", n)
		case values[name] != "":
			return nil, fmt.Errorf("line %d repeats a name", n)
		default:
			values[name] = strings.TrimSpace(value)
		}
	}
	if lines.Err() != nil {
		return nil, errors.New("a line is too long")
	}
	return values, nil
}

// String says that there are credentials, or none.
func (c Credentials) String() string {
	if c == (Credentials{}) {
		return "none"
	}
	return "[hidden]"
}

// GoString is String, for %#v.
func (c Credentials) GoString() string { return c.String() }

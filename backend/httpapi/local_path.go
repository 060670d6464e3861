package httpapi

import (
	"net/url"
	"path/filepath"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// localPath returns the path of a file: URL, and other paths as they are. Error: ValidationError for a URL of another machine.
func localPath(path string) (string, error) {
	address, err := url.Parse(path)
	if err != nil || address.Scheme != "file" {
		return path, nil //nolint:nilerr // a path is not always an address
	}
	if address.Host != "" && !strings.EqualFold(address.Host, "localhost") {
		return "", backend.Invalid("value_error", "Value error, only a file of this machine can be imported: a file: URL begins with file:///",
			"body", "path")
	}
	if address.Path == "" {
		return path, nil
	}
	if below := strings.TrimPrefix(address.Path, "/"); filepath.VolumeName(below) != "" {
		return filepath.FromSlash(below), nil // a drive of Windows
	}
	return address.Path, nil
}

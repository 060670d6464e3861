package audiobook

import (
	"bytes"
	"fmt"
	"image/jpeg"
	"image/png"

	"github.com/voicewright/voicewright/backend"
)

// MaxCover is the size of the largest cover in bytes. Some players give up on larger ones.
const MaxCover = 20 << 20

// CheckCover returns an error for a picture that cannot be the cover of a book; nil data is no cover. Error: unsupported_media.
func CheckCover(data []byte) error {
	if data == nil {
		return nil
	}
	if len(data) > MaxCover {
		return backend.E(backend.CodeUnsupportedMedia,
			fmt.Sprintf("The cover has %d MB, and at most %d MB fit into an audiobook.", len(data)>>20, MaxCover>>20),
			"Use a smaller picture; 2,400 pixels on each side are enough.").With("reason", "cover_too_large")
	}
	var err error
	switch coverExtension(data) {
	case ".jpg":
		_, err = jpeg.DecodeConfig(bytes.NewReader(data))
	case ".png":
		_, err = png.DecodeConfig(bytes.NewReader(data))
	default:
		return backend.E(backend.CodeUnsupportedMedia, "The cover is neither a JPEG nor a PNG picture.",
			"Save it as JPEG or PNG and choose that file.").With("reason", "cover_format")
	}
	if err != nil {
		return backend.E(backend.CodeUnsupportedMedia, "The picture of the cover is damaged.",
			"Save it again as JPEG or PNG and choose that file.").With("reason", "cover_damaged").WithCause(err)
	}
	return nil
}

// coverExtension returns the extension of a picture by its first bytes: .jpg, .png or "".
func coverExtension(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\xFF\xD8\xFF")):
		return ".jpg"
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1A\n")):
		return ".png"
	}
	return ""
}

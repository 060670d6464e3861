package backend

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
)

// Cover is the picture on a book: a JPEG or PNG file.
type Cover struct {
	MediaType string
	Data      []byte
}

// MaxCover is the size of the largest cover in bytes. Some players give up on larger ones.
const MaxCover = 20 << 20

// maxDecoded is how many pixels of a picture are decoded to see that it is whole; those of one with more need too much memory.
const maxDecoded = 40_000_000

// CoverExtension returns the extension of a picture by its first bytes: .jpg, .png or "".
func CoverExtension(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\xFF\xD8\xFF")):
		return ".jpg"
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1A\n")):
		return ".png"
	}
	return ""
}

// CoverMediaType returns the media type of a cover.
func CoverMediaType(data []byte) string {
	if CoverExtension(data) == ".jpg" {
		return "image/jpeg"
	}
	return "image/png"
}

// CheckCover returns an error for a picture that cannot be the cover of a book, by its start. Errors: unsupported_media,
// body_too_large.
func CheckCover(data []byte) error {
	_, err := checkCover(data)
	return err
}

// CheckWholeCover is CheckCover for a picture that is new: it is decoded, so that one that is cut off is found.
func CheckWholeCover(data []byte) error {
	c, err := checkCover(data)
	if err != nil || c.Width*c.Height > maxDecoded {
		return err
	}
	_, _, err = image.Decode(bytes.NewReader(data))
	var jpegKind jpeg.UnsupportedError
	var pngKind png.UnsupportedError
	if err == nil || errors.As(err, &jpegKind) || errors.As(err, &pngKind) { // players read more kinds
		return nil
	}
	return errCoverDamaged(err)
}

func checkCover(data []byte) (image.Config, error) {
	if len(data) > MaxCover {
		return image.Config{}, E(CodeBodyTooLarge, "The cover is larger than 20 MB.",
			"Use a smaller picture; 2,400 pixels on each side are enough.").With("limit", MaxCover)
	}
	if CoverExtension(data) == "" {
		return image.Config{}, E(CodeUnsupportedMedia, "The cover is neither a JPEG nor a PNG picture.",
			"Save it as JPEG or PNG and choose that file.").With("reason", "cover_format")
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return c, errCoverDamaged(err)
	}
	return c, nil
}

func errCoverDamaged(cause error) error {
	return E(CodeUnsupportedMedia, "The picture of the cover is damaged.", "Save it again as JPEG or PNG and choose that file.").
		With("reason", "cover_damaged").WithCause(cause)
}

package cli

import (
	"context"
	"io"
	"mime/multipart"
	"net/http"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

// sendFile sends a file that the user named, see sendForm.
func sendFile(ctx context.Context, c *client.Client, path, file string, fields map[string]string, out any) error {
	f, err := usage.OpenInput(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	return sendForm(ctx, c, path, filepath.Base(file), f, fields, out, nil)
}

// sendForm sends a form with the fields that are not empty and a file, which is streamed, and decodes the response into out.
func sendForm(
	ctx context.Context, c *client.Client, path, name string, in io.Reader, fields map[string]string, out any, header map[string]string,
) error {
	body, content := io.Pipe()
	form := multipart.NewWriter(content)
	go func() {
		err := backend.Contain(func() error { return writeForm(form, name, in, fields) })
		_ = content.CloseWithError(err) // never fails
	}()
	defer func() { _ = body.Close() }() // ends the goroutine when the server does not read to the end
	headers := map[string]string{"Content-Type": form.FormDataContentType()}
	for key, value := range header {
		headers[key] = value
	}
	return c.CallWith(ctx, http.MethodPost, path, body, out, headers)
}

// sentName returns the name of a file as the header of a form can have it. Names of files may be any bytes: what is no UTF-8 and
// control characters, which no header may have, become U+FFFD. A backslash, which would end a folder of Windows, becomes a dash.
func sentName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return unicode.ReplacementChar
		case r == '\\':
			return '-'
		}
		return r // U+FFFD for bytes that are no UTF-8
	}, name)
}

func writeForm(form *multipart.Writer, name string, in io.Reader, fields map[string]string) error {
	for key, value := range fields {
		if value == "" {
			continue
		}
		if err := form.WriteField(key, value); err != nil {
			return err
		}
	}
	part, err := form.CreateFormFile("file", sentName(name))
	if err != nil {
		return err
	}
	if _, err := io.Copy(part, in); err != nil {
		return err
	}
	return form.Close()
}

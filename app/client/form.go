package client

import (
	"cmp"
	"context"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"strings"
	"unicode"

	"github.com/voicewright/voicewright/backend"
)

// Form is a request with a file.
type Form struct {
	Method string // POST where it is empty
	Path   string
	Name   string // of the file
	In     io.Reader
	Fields map[string]string // those that are empty are not sent
	Header map[string]string
}

// SendForm sends a form, whose file is streamed, and decodes the response into out.
func (c *Client) SendForm(ctx context.Context, f Form, out any) error {
	body, content := io.Pipe()
	form := multipart.NewWriter(content)
	go func() {
		err := backend.Contain(func() error { return f.write(form) })
		_ = content.CloseWithError(err) // never fails
	}()
	defer func() { _ = body.Close() }() // ends the goroutine when the server does not read to the end
	headers := map[string]string{"Content-Type": form.FormDataContentType()}
	maps.Copy(headers, f.Header)
	return c.CallWith(ctx, cmp.Or(f.Method, http.MethodPost), f.Path, body, out, headers)
}

func (f Form) write(form *multipart.Writer) error {
	for key, value := range f.Fields {
		if value == "" {
			continue
		}
		if err := form.WriteField(key, value); err != nil {
			return err
		}
	}
	part, err := form.CreateFormFile("file", sentName(f.Name))
	if err != nil {
		return err
	}
	if _, err := io.Copy(part, f.In); err != nil {
		return err
	}
	return form.Close()
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

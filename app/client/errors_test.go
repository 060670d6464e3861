package client

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// TestResponseError reads the errors of the API, and bodies that contain none.
func TestResponseError(t *testing.T) {
	read := func(body string) error {
		return responseError(&http.Response{Status: "500 Oops", Body: io.NopCloser(strings.NewReader(body))})
	}
	err := read(`{"detail":"It failed.","code":"engine_failed","remedy":"Retry.","params":{"stage":"speak"},"generation_id":"g"}`)
	var known *backend.Error
	require.ErrorAs(t, err, &known)
	require.Equal(t, backend.CodeEngineFailed, known.Code)
	require.Equal(t, map[string]any{"stage": "speak", "generation_id": "g"}, known.Params)
	var invalid *backend.ValidationError
	require.ErrorAs(t, read(`{"detail":[{"loc":["body","text"],"msg":"m","type":"missing"}]}`), &invalid)
	require.Equal(t, []string{"body", "text"}, invalid.Fields[0].Loc)
	for _, body := range []string{"", "<html>", "{}", `{"detail":5}`, `[]`} {
		require.ErrorAs(t, read(body), &known, body)
		require.Equal(t, "The server returned 500 Oops.", known.Detail)
	}
	require.ErrorIs(t, responseError(&http.Response{Body: io.NopCloser(iotest.ErrReader(io.ErrUnexpectedEOF))}), io.ErrUnexpectedEOF)
}

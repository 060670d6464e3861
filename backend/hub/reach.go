package hub

import (
	"context"
	"net/http"

	"github.com/voicewright/voicewright/backend"
)

// Reach sends a request to the hub and returns the hub's address, also with an error. Errors: offline, download_failed.
func (c *Client) Reach(ctx context.Context) (endpoint string, err error) {
	endpoint = c.o.Endpoint
	res, err := c.send(ctx, http.MethodHead, endpoint+"/", nil, true)
	if err != nil {
		known := backend.AsError(c.connectionError(hostOf(endpoint), "a response", err).err)
		if reason := known.Params["reason"]; known.Code != backend.CodeDownloadFailed || reason != nil && reason != "certificate" {
			return endpoint, known
		}
		return endpoint, backend.E(known.Code, "Couldn't reach "+endpoint+".", known.Remedy).WithCause(err)
	}
	_ = res.Body.Close() // an answer to HEAD has none
	switch res.StatusCode {
	case http.StatusProxyAuthRequired, http.StatusNetworkAuthenticationRequired:
		return endpoint, c.errFiltered(res, backend.E(backend.CodeDownloadFailed, "", ""), "a response")
	default:
		return endpoint, nil
	}
}

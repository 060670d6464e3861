package hub

import (
	"context"
	"net/http"
)

// Reach sends a request to the hub and returns the hub's address, also with an error. Errors: offline, download_failed.
func (c *Client) Reach(ctx context.Context) (endpoint string, err error) {
	endpoint = c.o.Endpoint
	res, err := c.send(ctx, http.MethodHead, endpoint+"/", nil, true)
	if err != nil {
		return endpoint, connectionError(endpoint, "a response", err).err
	}
	return endpoint, res.Body.Close()
}

//go:build !linux && !windows && !(darwin && cgo)

package shortcuts

import "context"

func open(context.Context, Action) (source, string, error) {
	return nil, "", errUnavailable("forbidden", "This build cannot listen to shortcuts on this system.",
		"Use the button on the page.")
}

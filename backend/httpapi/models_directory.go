package httpapi

import "context"

type directoryOutput struct {
	Body ModelsDirectory
}

func (h *modelHandlers) modelsDirectory(ctx context.Context, _ *struct{}) (*directoryOutput, error) {
	return &directoryOutput{ModelsDirectory(h.folder.Directory(ctx))}, nil
}

type moveDirectoryInput struct {
	Body struct {
		Path  string `json:"path" minLength:"1" doc:"an absolute path of an empty folder or a new one"`
		Adopt bool   `json:"adopt,omitempty" doc:"use the models that are already in the folder; the current ones stay where they are"`
	} `nameHint:"ModelsDirectoryChange"`
}

// moveDirectory responds when all files are in the new folder; until then GET reports moving.
func (h *modelHandlers) moveDirectory(ctx context.Context, in *moveDirectoryInput) (*directoryOutput, error) {
	change := h.folder.Move
	if in.Body.Adopt {
		change = h.folder.Adopt
	}
	if err := change(ctx, in.Body.Path); err != nil {
		return nil, err
	}
	return &directoryOutput{ModelsDirectory(h.folder.Directory(ctx))}, nil
}

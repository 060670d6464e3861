package httpapi

import (
	"context"
	"net/http"
	"strconv"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/studio"
)

// takeHandlers are the routes of the takes of a chunk.
type takeHandlers struct {
	*responder
	speech    *studio.Studio
	links     *Links
	inHistory bool
}

func (h *takeHandlers) routes(r *router) {
	if h.speech == nil {
		return
	}
	post(r, "/generate/{generation_id}/chunks/{n}/regenerate", "regenerate-chunk", "Regenerate one chunk as a new take", h.regenerateChunk)
	get(r, "/history/{generation_id}/chunks/{n}/takes", "takes", "List the takes of a chunk, with peaks for waveforms", h.chunkTakes)
	r.file("/history/{generation_id}/chunks/{n}/takes/{take}", "take", "Audio of one take of a chunk",
		h.takeAudio, returnsFile("audio/wav"))
}

// takeAudio responds with the audio of a take.
func (h *takeHandlers) takeAudio(w http.ResponseWriter, r *http.Request) {
	id, err := pathID(r, "generation_id")
	var at [2]int
	for i, name := range []string{"n", "take"} {
		if err == nil {
			at[i], err = pathNumber(r, name)
		}
	}
	if err != nil {
		h.fail(w, r, err)
		return
	}
	e, err := h.speech.Takes.TakeAudio(r.Context(), id, at[0], at[1])
	h.sendFile(w, r, e, err)
}

func pathNumber(r *http.Request, name string) (int, error) {
	n, err := strconv.ParseUint(r.PathValue(name), 10, 31)
	if err != nil {
		return 0, backend.Invalid("int_parsing", "Input should be a whole number from 0", "path", name)
	}
	return int(n), nil
}

type takesInput struct {
	GenerationPath
	Chunk int `path:"n" minimum:"0" doc:"from 0"`
	Peaks int `query:"peaks" minimum:"1" maximum:"8000" default:"100" doc:"peaks of each take"`
}

// Take is a take of a chunk.
type Take struct {
	Take     int          `json:"take" doc:"from 0"`
	Seed     int64        `json:"seed"`
	Duration *float64     `json:"duration" doc:"seconds; null for a take without audio of its own, as chunks overlap"`
	Peaks    [][2]float32 `json:"peaks" doc:"lowest and highest sample of each part; empty without audio"`
}

type takesOutput struct {
	Body List[Take] `nameHint:"Takes"`
}

// chunkTakes responds with the takes of a chunk, for comparing them.
func (h *takeHandlers) chunkTakes(ctx context.Context, in *takesInput) (*takesOutput, error) {
	takes, err := h.speech.Takes.List(ctx, string(in.ID), in.Chunk, in.Peaks)
	if err != nil {
		return nil, err
	}
	items := make([]Take, len(takes))
	for i, t := range takes {
		items[i] = Take{Take: i, Seed: t.Seed, Peaks: pairs(t.Peaks)}
		if t.Duration > 0 {
			items[i].Duration = &t.Duration
		}
	}
	return &takesOutput{whole(items)}, nil
}

type regenerateChunkInput struct {
	GenerationPath
	Chunk int `path:"n" minimum:"0" doc:"from 0"`
	Body  *regenerateChunkRequest
}

type regenerateChunkRequest struct {
	Seed   *int64 `json:"seed,omitempty" minimum:"0" maximum:"2147483647"`
	Choose *bool  `json:"choose,omitempty" doc:"false: add the take and leave the audio as it is; default true"`
}

func (h *takeHandlers) regenerateChunk(ctx context.Context, in *regenerateChunkInput) (*generationOutput, error) {
	var seed *int64
	choose := true
	if in.Body != nil {
		seed = in.Body.Seed
		choose = in.Body.Choose == nil || *in.Body.Choose
	}
	g, err := h.speech.Takes.RegenerateChunk(ctx, string(in.ID), in.Chunk, seed, choose)
	return h.links.generation(http.StatusOK, g, err)
}

// chunkChange is a change of one chunk.
type chunkChange struct {
	Take int `json:"take" minimum:"0" doc:"from 0"`
}

// takesOf parses the chunk numbers, which are keys in JSON.
func takesOf(chunks map[string]chunkChange) (map[int]int, error) {
	out := map[int]int{}
	for name, c := range chunks {
		n, err := strconv.Atoi(name)
		if err != nil || n < 0 || strconv.Itoa(n) != name {
			return nil, backend.Invalid("int_parsing", "Input should be the number of a chunk", "body", "chunks", name)
		}
		out[n] = c.Take
	}
	return out, nil
}

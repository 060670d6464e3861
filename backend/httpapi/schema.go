package httpapi

import (
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books"
	"github.com/voicewright/voicewright/backend/extract"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/hosted"
	"github.com/voicewright/voicewright/backend/hosted/client"
	"github.com/voicewright/voicewright/backend/system"
)

// schemaNames are the names in the OpenAPI document of types whose Go name says too little outside its package.
var schemaNames = map[reflect.Type]string{
	reflect.TypeFor[Invalid]():               "ValidationError",
	reflect.TypeFor[backend.ModelDeleted]():  "ModelDeleteResult",
	reflect.TypeFor[backend.ModelFreed]():    "ModelUnloadResult",
	reflect.TypeFor[backend.ModelLoad]():     "ModelLoadResult",
	reflect.TypeFor[backend.ModelShape]():    "ModelConcurrency",
	reflect.TypeFor[backend.ModelVerified](): "ModelVerifyResult",
	reflect.TypeFor[backend.Block]():         "BookBlock",
	reflect.TypeFor[backend.Section]():       "BookSection",
	reflect.TypeFor[backend.Span]():          "BookSpan",
	reflect.TypeFor[books.Chapter]():         "BookChapter",
	reflect.TypeFor[books.LeftOut]():         "BookLeftOut",
	reflect.TypeFor[books.Passages]():        "BookPassages",
	reflect.TypeFor[books.UpdateReport]():    "BookUpdateReport",
	reflect.TypeFor[books.Words]():           "BookWords",
	reflect.TypeFor[extract.Document]():      "ExtractedText",
	reflect.TypeFor[extract.Note]():          "ExtractedTextNote",
	reflect.TypeFor[hosted.Enhanced]():       "HostedEnhanced",
	reflect.TypeFor[hosted.EnhancedTurn]():   "HostedEnhancedTurn",
	reflect.TypeFor[hosted.ListedVoice]():    "HostedVoice",
	reflect.TypeFor[hosted.LoginStatus]():    "HostedLoginStatus",
	reflect.TypeFor[hosted.Notice]():         "HostedNotice",
	reflect.TypeFor[hosted.SecretsStatus]():  "HostedSecrets",
	reflect.TypeFor[client.Filters]():        "HostedFilters",
	reflect.TypeFor[generations.Spoken]():    "TextPreview",
	reflect.TypeFor[generations.Pause]():     "TextPreviewPause",
	reflect.TypeFor[system.Info]():           "SystemInfo",
	reflect.TypeFor[system.Device]():         "SystemDevice",
	reflect.TypeFor[system.DeviceChoice]():   "SystemDeviceChoice",
	reflect.TypeFor[system.Library]():        "SystemLibrary",
	reflect.TypeFor[system.Space]():          "SystemSpace",
}

// schemaName returns the name of a type in the OpenAPI document: its Go name without the suffix View, for a list with
// the suffix List.
func schemaName(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if name, ok := schemaNames[t]; ok {
		return name
	}
	name := strings.TrimSuffix(huma.DefaultSchemaNamer(t, hint), "View")
	if item, ok := strings.CutPrefix(name, "List"); ok && t.Kind() == reflect.Struct {
		return item + "List"
	}
	return name
}

package httpapi

// resource registers the routes of one resource, none where the service behind them is missing.
type resource interface {
	routes(r *router)
}

// resources returns all resources with what each needs, in the order of their routes.
func (o *Options) resources(answers *responder, shown *Links, forms *forms) []resource {
	temp, named := forms.tempFiles, newExports(o.Events, answers)
	return []resource{
		&eventHandlers{answers, o.Events},
		&audioHandlers{answers, o.Audio, o.Transcriptions},
		&generationHandlers{answers, o.Speech, o.Events, shown, o.Store != nil},
		&takeHandlers{answers, o.Speech, shown, o.Store != nil},
		&textHandlers{o.Speech, o.Uploads},
		&scriptHandlers{o.Speech, o.Export, named, o.Events, shown},
		&bookHandlers{answers, o.Books, o.Uploads, forms, o.Events, shown},
		&bookExportHandlers{o.BookExport, named, temp},
		&profileHandlers{answers, o.Profiles, o.Store, o.Models, o.Speech, temp},
		&sampleHandlers{answers, o.Profiles, forms, shown},
		&historyHandlers{o.Speech, o.Transcriptions, o.BookCovers, o.VoicePrints, o.Store, o.Export, named, temp, o.Events, shown},
		&transcriptHandlers{answers, o.Transcriptions, o.Store, o.Models, o.Speech, forms, o.Events, shown, o.Profiles},
		&openAIHandlers{o.Speech, o.Store, o.Models, o.Export, o.Settings, o.Transcriptions, forms},
		&draftHandlers{o.Store, o.Events},
		&pronunciationHandlers{o.Store, o.Events, temp},
		&dictationHandlers{o.Dictation},
		&voiceHandlers{o.VoicePrints},
		&signInHandlers{o.SignIn},
		&modelHandlers{answers, o.Models, o.ModelsFolder, o.Events},
		&recordingHandlers{answers, o.Recordings, o.Events},
		&hostedHandlers{answers, o.Hosted, o.Speech},
		&backupHandlers{o.Backup, o.Restore, named, forms, o.Log},
		&systemHandlers{o.Version, o.System, o.Settings, o.Updates},
	}
}

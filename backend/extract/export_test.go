package extract

// Limited is an extractor of files that unfold to at most n bytes.
func Limited(n int64) *Extractor { return &Extractor{unfolds: n} }

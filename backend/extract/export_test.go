package extract

// Limited returns an extractor of files that expand to at most n bytes.
func Limited(n int64) *Extractor { return &Extractor{limit: n} }

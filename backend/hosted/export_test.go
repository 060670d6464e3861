package hosted

// For tests.
var (
	SameWords    = sameWords
	Split        = split
	RemoveOldest = removeOldest
)

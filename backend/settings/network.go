package settings

import "encoding/json"

// Change is a setting whose value differs between this machine and a backup. Both values are texts, also of a switch.
type Change struct {
	Key    string `json:"key"`
	Here   string `json:"here"`
	Backup string `json:"backup"`
}

// NetworkChanges returns the settings by which stored settings of a backup would change what the program connects to and who can
// connect to it, in the order of the table. Values that are missing or no longer valid count as their defaults.
func NetworkChanges(here, backup map[string]json.RawMessage) []Change {
	var changes []Change
	for _, s := range Table() {
		change := Change{s.Key, s.stored(here), s.stored(backup)}
		if s.network && change.Here != change.Backup {
			changes = append(changes, change)
		}
	}
	return changes
}

// KeepNetwork returns what to store so that all settings of the network are as they are here: nil deletes a key.
func KeepNetwork(here map[string]json.RawMessage) map[string]json.RawMessage {
	keep := map[string]json.RawMessage{}
	for _, s := range Table() {
		if s.network {
			keep[s.Key] = here[s.Key]
		}
	}
	return keep
}

// ClosedNetwork returns those of stored settings that do nothing but keep the program from connecting: offline mode that is on, and
// the hosted service that is off.
func ClosedNetwork(stored map[string]json.RawMessage) map[string]json.RawMessage {
	closed := map[string]json.RawMessage{}
	for _, s := range Table() {
		if value := s.stored(stored); s.Key == Offline && value == "true" || s.Key == HostedEnabled && value == "false" {
			closed[s.Key] = stored[s.Key]
		}
	}
	return closed
}

// stored returns the value of a setting among stored ones.
func (s Setting) stored(values map[string]json.RawMessage) string {
	var value string
	if json.Unmarshal(values[s.Key], &value) != nil || s.problem(value) != "" {
		return s.Default
	}
	return value
}

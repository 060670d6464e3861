// Package postgres implements service.Store in a PostgreSQL database, which many processes share.
//
// Each method is one transaction of a few pipelined statements: the first locks the row of the account, the second reads what decides and
// the clock of the server, the others write. Whatever ends before COMMIT is sent has surely done nothing, and is tried again where that
// can help; of what ends later the outcome is unknown, and only the caller may ask again.
package postgres

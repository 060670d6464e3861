// Package client is the typed client of the hosted API (hosted-api.md). It checks the address before it reads a credential,
// repeats only what cannot be charged twice, and follows no redirect with a credential.
//
// Every method returns an *Error when the service was contacted or could not be reached; its Outcome says whether a call may
// have been charged. AsError words it for people. Errors from before that are *backend.Error: offline, hosted_not_configured,
// hosted_not_signed_in, and those of Credentials.
package client

package s3

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/minio/minio-go/v7/pkg/s3utils"

	"github.com/voicewright/voicewright/backend/hosts"
)

// Address says where files are, as Parse reads it.
type Address struct {
	Bucket   string
	Prefix   string // of the names of all objects, without a slash at its ends; may be empty
	Endpoint string // of the store: SCHEME://HOST, with a port where it is not the usual one
	Region   string
}

const (
	defaultRegion   = "us-east-1" // what stores without regions call theirs
	maxPrefixLength = 200         // characters; a name of an object has 1,024 at most
)

var (
	validSegment = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]*$`)
	validRegion  = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
)

// Parse reads s3://BUCKET/PREFIX?endpoint=URL&region=NAME. The endpoint is https; http needs &insecure=true unless it is this machine.
// Errors say what is wrong in half a sentence that fits behind the name of an option, and never contain a password.
func Parse(address string) (Address, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme != "s3" || u.Opaque != "" || u.Fragment != "":
		return Address{}, errors.New("must be s3://BUCKET/PREFIX?endpoint=https://HOST") // the error of url.Parse has all of it
	case u.User != nil:
		return Address{}, errNoCredentials
	}
	if err := s3utils.CheckValidBucketNameStrict(u.Host); err != nil {
		return Address{}, fmt.Errorf("has the bucket %q: its name has 3 to 63 lower case letters, digits, dots and hyphens", u.Host)
	}
	a := Address{Bucket: u.Host, Prefix: strings.TrimSuffix(strings.TrimPrefix(u.Path, "/"), "/")}
	if err := checkPrefix(a.Prefix); err != nil {
		return Address{}, err
	}
	values, err := parameters(u)
	if err != nil {
		return Address{}, err
	}
	if a.Endpoint, err = endpoint(values["endpoint"], values["insecure"]); err != nil {
		return Address{}, err
	}
	a.Region, err = region(values["region"], a.Endpoint)
	return a, err
}

// errNoCredentials refuses credentials in an address, which programs and shells show to others.
var errNoCredentials = errors.New("must not contain credentials: give them in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or in a file")

func checkPrefix(prefix string) error {
	if prefix == "" {
		return nil
	}
	for segment := range strings.SplitSeq(prefix, "/") {
		if !validSegment.MatchString(segment) {
			return fmt.Errorf("has the prefix %q: its parts are letters, digits and ._- and do not begin with a dot", prefix)
		}
	}
	if len(prefix) > maxPrefixLength {
		return fmt.Errorf("has a prefix of %d characters; at most %d are allowed", len(prefix), maxPrefixLength)
	}
	return nil
}

// parameters returns the query of an address. Only names of unknown ones are in its errors: a value may be a secret.
func parameters(u *url.URL) (map[string]string, error) {
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, errors.New("has a part behind ? that is not NAME=VALUE&NAME=VALUE")
	}
	values := map[string]string{}
	for name, given := range query {
		switch lower := strings.ToLower(name); {
		case name != "endpoint" && name != "region" && name != "insecure":
			if strings.Contains(lower, "key") || strings.Contains(lower, "secret") || strings.Contains(lower, "token") {
				return nil, errNoCredentials
			}
			return nil, fmt.Errorf("has the unknown parameter %q; there are endpoint, region and insecure", name)
		case len(given) > 1:
			return nil, fmt.Errorf("has the parameter %q twice", name)
		}
		values[name] = given[0]
	}
	return values, nil
}

// endpoint returns the address of a store as browsers write it.
func endpoint(given, insecure string) (string, error) {
	if given == "" {
		return "", errors.New("has no endpoint: add ?endpoint=https://HOST, for Amazon https://s3.REGION.amazonaws.com")
	}
	u, err := url.Parse(given)
	if err == nil && u.User != nil {
		return "", errNoCredentials
	}
	origin, ok := hosts.PlainOrigin(given)
	if err != nil || !ok || u.Scheme != "https" && u.Scheme != "http" {
		return "", errors.New("has an endpoint that is not https://HOST or https://HOST:PORT, without a path")
	}
	switch {
	case insecure != "" && insecure != "true":
		return "", errors.New("has insecure with another value than true")
	case u.Scheme == "https" && insecure != "":
		return "", errors.New("has an endpoint with https, for which insecure means nothing; leave it out")
	case u.Scheme == "http" && insecure == "" && !hosts.IsLoopback(u.Hostname()):
		return "", errors.New("has an endpoint with http, over which others can read the audio: use https, " +
			"or add &insecure=true for a network of your own")
	}
	return origin, nil
}

// region returns the region that requests are signed for. It is never asked for.
func region(given, endpoint string) (string, error) {
	if given == "" {
		if u, err := url.Parse(endpoint); err == nil {
			given = s3utils.GetRegionFromURL(*u)
		}
	}
	if given == "" {
		given = defaultRegion
	}
	if !validRegion.MatchString(given) {
		return "", fmt.Errorf("has the region %q: letters, digits, _ and - only", given)
	}
	return given, nil
}

// String returns the address as it is written.
func (a Address) String() string {
	u := url.URL{Scheme: "s3", Host: a.Bucket, Path: "/" + a.Prefix, RawQuery: "endpoint=" + a.Endpoint + "&region=" + a.Region}
	return u.String()
}

// Local reports whether the store is on this machine.
func (a Address) Local() bool {
	u, err := url.Parse(a.Endpoint)
	return err == nil && hosts.IsLoopback(u.Hostname())
}

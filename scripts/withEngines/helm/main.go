// Reads manifests of Kubernetes, as YAML, and reports each one that Kubernetes' own types don't take: a kind that is not there, a member
// that it does not have, a value of another type.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
)

func main() {
	decoder := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	manifests := yaml.NewYAMLReader(bufio.NewReader(os.Stdin))
	code := 0
	for {
		manifest, err := manifests.Read()
		if errors.Is(err, io.EOF) {
			os.Exit(code)
		}
		if err == nil {
			_, _, err = decoder.Decode(manifest, nil, nil)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
}

// Renders charts as Helm does, for the tests: text/template with the functions of sprig, and those of Helm that our chart uses.
// Reads a list of inputs as JSON, and prints the list of their templates' outputs by name.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type files map[string]string

func (all files) Get(name string) string { return all[name] }

func (all files) Glob(pattern string) files {
	found := files{}
	for name, text := range all {
		if matched, _ := path.Match(pattern, name); matched {
			found[name] = text
		}
	}
	return found
}

func (all files) AsConfig() (string, error) {
	data := map[string]string{}
	for name, text := range all {
		data[path.Base(name)] = text
	}
	return toYaml(data)
}

type input struct {
	Values, Chart, Release map[string]interface{}
	Files                  files
	Templates              map[string]string
}

func toYaml(value interface{}) (string, error) {
	text, err := yaml.Marshal(value)
	return strings.TrimSuffix(string(text), "\n"), err
}

func fromYaml(text string) (map[string]interface{}, error) {
	value := map[string]interface{}{}
	return value, yaml.Unmarshal([]byte(text), &value)
}

func render(in input) (map[string]string, error) {
	root := template.New("chart").Option("missingkey=zero").Funcs(sprig.TxtFuncMap())
	execute := func(name string, data interface{}) (string, error) {
		var out strings.Builder
		err := root.ExecuteTemplate(&out, name, data)
		return strings.ReplaceAll(out.String(), "<no value>", ""), err
	}
	root.Funcs(template.FuncMap{"include": execute, "toYaml": toYaml, "fromYaml": fromYaml})
	for name, text := range in.Templates {
		if _, err := root.New(name).Parse(text); err != nil {
			return nil, err
		}
	}
	rendered := map[string]string{}
	data := map[string]interface{}{"Values": in.Values, "Chart": in.Chart, "Release": in.Release, "Files": in.Files}
	for name := range in.Templates {
		if path.Base(name)[0] == '_' {
			continue
		}
		text, err := execute(name, data)
		if err != nil {
			return nil, err
		}
		rendered[name] = text
	}
	return rendered, nil
}

func main() {
	var inputs []input
	err := json.NewDecoder(os.Stdin).Decode(&inputs)
	outputs := make([]map[string]string, len(inputs))
	for at := range inputs {
		if err == nil {
			outputs[at], err = render(inputs[at])
		}
	}
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(outputs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

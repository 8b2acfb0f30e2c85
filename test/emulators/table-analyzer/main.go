// Table-analyzer names the tables that a query reads, by the analyzer of the BigQuery emulator: Google's own. It answers
// each line of its input, one JSON object, with one line:
//
//	{"define": "CREATE TABLE …" or "CREATE VIEW …"}       {}
//	{"query": "SELECT …", "parameters": {"p": "STRING"}}  {"tables": ["project.dataset.table", …]}
//
// and with {"error": "…"} what the analyzer refuses. A view counts as the tables beneath it, at any depth. Names without a
// project belong to that of the first argument.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"

	"github.com/goccy/go-googlesql"
)

type request struct {
	Define     string            `json:"define"`
	Query      string            `json:"query"`
	Parameters map[string]string `json:"parameters"`
}

type response struct {
	Tables []string `json:"tables,omitempty"`
	Error  string   `json:"error,omitempty"`
}

type analyzer struct {
	project  string
	root     *googlesql.SimpleCatalog
	datasets map[string]*googlesql.SimpleCatalog
	options  *googlesql.AnalyzerOptions
	types    *googlesql.TypeFactory
	// By the full name of a view, what it reads.
	views map[string][]string
	// Definitions own the types of columns.
	kept []*googlesql.AnalyzerOutput
}

func newAnalyzer(project string) (*analyzer, error) {
	if err := googlesql.Init(); err != nil {
		return nil, err
	}
	language, err := googlesql.NewLanguageOptions()
	if err != nil {
		return nil, err
	}
	if err := language.EnableMaximumLanguageFeatures(); err != nil {
		return nil, err
	}
	if err := language.EnableReservableKeyword("QUALIFY", true); err != nil {
		return nil, err
	}
	if err := language.SetProductMode(googlesql.ProductModeProductExternal); err != nil {
		return nil, err
	}
	if err := language.SetSupportsAllStatementKinds(); err != nil {
		return nil, err
	}
	options, err := googlesql.NewAnalyzerOptions2()
	if err != nil {
		return nil, err
	}
	if err := options.SetLanguage(language); err != nil {
		return nil, err
	}
	types, err := googlesql.NewTypeFactory()
	if err != nil {
		return nil, err
	}
	root, err := googlesql.NewSimpleCatalog("root", types)
	if err != nil {
		return nil, err
	}
	builtin := &googlesql.BuiltinFunctionOptions{LanguageOptions: language}
	if err := root.AddBuiltinFunctionsAndTypes(builtin); err != nil {
		return nil, err
	}
	return &analyzer{
		project:  project,
		root:     root,
		datasets: map[string]*googlesql.SimpleCatalog{},
		options:  options,
		types:    types,
		views:    map[string][]string{},
	}, nil
}

func (a *analyzer) analyze(sql string) (*googlesql.AnalyzerOutput, googlesql.ResolvedStatementNode, error) {
	output, err := googlesql.AnalyzeStatement(sql, a.options, a.root, a.types)
	if err != nil {
		return nil, nil, err
	}
	statement, err := output.ResolvedStatement()
	return output, statement, err
}

// The types that queries have parameters of.
func (a *analyzer) declare(parameters map[string]string) error {
	if err := a.options.ClearQueryParameters(); err != nil {
		return err
	}
	kinds := map[string]func() (googlesql.Googlesql_TypeNode, error){
		"BOOL":      a.types.GetBool,
		"FLOAT64":   a.types.GetDouble,
		"INT64":     a.types.GetInt64,
		"STRING":    a.types.GetString,
		"TIMESTAMP": a.types.GetTimestamp,
	}
	for name, kind := range parameters {
		get, ok := kinds[kind]
		if !ok {
			return fmt.Errorf("parameter %s has the unknown type %s", name, kind)
		}
		of, err := get()
		if err != nil {
			return err
		}
		if err := a.options.AddQueryParameter(name, of); err != nil {
			return err
		}
	}
	return nil
}

type column struct {
	name string
	of   googlesql.Googlesql_TypeNode
}

func (a *analyzer) define(sql string) error {
	output, statement, err := a.analyze(sql)
	if err != nil {
		return err
	}
	a.kept = append(a.kept, output)
	switch created := statement.(type) {
	case *googlesql.ResolvedCreateTableStmt:
		path, err := created.NamePath()
		if err != nil {
			return err
		}
		definitions, err := created.ColumnDefinitionList()
		if err != nil {
			return err
		}
		columns := []column{}
		for _, definition := range definitions {
			name, err := definition.Name()
			if err != nil {
				return err
			}
			of, err := definition.Type()
			if err != nil {
				return err
			}
			columns = append(columns, column{name, of})
		}
		return a.add(path, columns)
	case *googlesql.ResolvedCreateViewStmt:
		path, err := created.NamePath()
		if err != nil {
			return err
		}
		outputs, err := created.OutputColumnList()
		if err != nil {
			return err
		}
		columns := []column{}
		for _, one := range outputs {
			name, err := one.Name()
			if err != nil {
				return err
			}
			resolved, err := one.Column()
			if err != nil {
				return err
			}
			of, err := resolved.Type()
			if err != nil {
				return err
			}
			columns = append(columns, column{name, of})
		}
		tables, err := a.tablesIn(statement)
		if err != nil {
			return err
		}
		a.views[strings.Join(a.whole(path), ".")] = tables
		return a.add(path, columns)
	default:
		return fmt.Errorf("%T defines no table", statement)
	}
}

// The path with its project, in the ways in which it may be written: names one by one, or all in one pair of backquotes.
func (a *analyzer) whole(path []string) []string {
	names := strings.Split(strings.Join(path, "."), ".")
	if len(names) == 2 {
		return append([]string{a.project}, names...)
	}
	return names
}

func (a *analyzer) add(path []string, columns []column) error {
	names := a.whole(path)
	if len(names) != 3 {
		return fmt.Errorf("%v is no table's name", path)
	}
	full := strings.Join(names, ".")
	table, err := googlesql.NewSimpleTable(full, 0)
	if err != nil {
		return err
	}
	for _, one := range columns {
		added, err := googlesql.NewSimpleColumn(full, one.name, one.of, false, true)
		if err != nil {
			return err
		}
		if err := table.AddColumn2(added, false); err != nil {
			return err
		}
	}
	project, err := a.catalog(a.root, names[0], names[0])
	if err != nil {
		return err
	}
	places := []struct {
		parent *googlesql.SimpleCatalog
		key    string
	}{{project, names[0] + "." + names[1]}}
	if names[0] == a.project {
		places = append(places, struct {
			parent *googlesql.SimpleCatalog
			key    string
		}{a.root, names[1]})
	}
	for _, place := range places {
		dataset, err := a.catalog(place.parent, names[1], place.key)
		if err != nil {
			return err
		}
		if err := dataset.AddTable2(names[2], table); err != nil {
			return err
		}
	}
	if names[0] == a.project {
		if err := a.root.AddTable2(names[1]+"."+names[2], table); err != nil {
			return err
		}
	}
	return a.root.AddTable2(full, table)
}

func (a *analyzer) catalog(parent *googlesql.SimpleCatalog, name string, key string) (*googlesql.SimpleCatalog, error) {
	if known, ok := a.datasets[key]; ok {
		return known, nil
	}
	made, err := googlesql.NewSimpleCatalog(name, a.types)
	if err != nil {
		return nil, err
	}
	if err := parent.AddCatalog(made); err != nil {
		return nil, err
	}
	a.datasets[key] = made
	return made, nil
}

func (a *analyzer) tablesIn(root googlesql.ResolvedNode) ([]string, error) {
	found := map[string]bool{}
	pending := []googlesql.ResolvedNode{root}
	for len(pending) > 0 {
		node := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if scan, ok := node.(*googlesql.ResolvedTableScan); ok {
			table, err := scan.Table()
			if err != nil {
				return nil, err
			}
			name, err := table.Name()
			if err != nil {
				return nil, err
			}
			if beneath, ok := a.views[name]; ok {
				for _, one := range beneath {
					found[one] = true
				}
			} else {
				found[name] = true
			}
		}
		walkable, ok := node.(interface {
			GetChildNodes() ([]googlesql.ResolvedNode, error)
		})
		if !ok {
			return nil, fmt.Errorf("%T has no children to look at", node)
		}
		children, err := walkable.GetChildNodes()
		if err != nil {
			return nil, err
		}
		pending = append(pending, children...)
	}
	names := []string{}
	for name := range found {
		names = append(names, name)
	}
	sort.Strings(names)
	return names, nil
}

func (a *analyzer) answer(line []byte) response {
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		return response{Error: err.Error()}
	}
	if asked.Define != "" {
		if err := a.define(asked.Define); err != nil {
			return response{Error: err.Error()}
		}
		return response{}
	}
	if err := a.declare(asked.Parameters); err != nil {
		return response{Error: err.Error()}
	}
	_, statement, err := a.analyze(asked.Query)
	if err != nil {
		return response{Error: err.Error()}
	}
	tables, err := a.tablesIn(statement)
	if err != nil {
		return response{Error: err.Error()}
	}
	return response{Tables: tables}
}

func main() {
	a, err := newAnalyzer(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	out := json.NewEncoder(os.Stdout)
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		if err := out.Encode(a.answer(line)); err != nil {
			return
		}
	}
}

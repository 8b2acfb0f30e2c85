// Command promql evaluates PromQL queries over made series with Prometheus's own engine: which of them have a result,
// minute by minute. It reads one JSON document and writes one.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/util/annotations"
)

type input struct {
	// Queries to evaluate at each minute from the first on, up to the last.
	Queries []string `json:"queries"`
	First   int      `json:"first"`
	Last    int      `json:"last"`
	Series  []series `json:"series"`
}

// series has a value for each minute from 0 on; null for none.
type series struct {
	Labels map[string]string `json:"labels"`
	Values []*float64        `json:"values"`
}

type output struct {
	// Minutes in which the query of the same position has a result.
	Minutes [][]int `json:"minutes"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	var in input
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		return err
	}
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 50_000_000, Timeout: time.Minute, EnableAtModifier: true, EnableNegativeOffset: true})
	out := output{Minutes: make([][]int, len(in.Queries))}
	for at, query := range in.Queries {
		minutes, err := minutesOf(engine, in, query)
		if err != nil {
			return fmt.Errorf("%s: %w", query, err)
		}
		out.Minutes[at] = minutes
	}
	return json.NewEncoder(os.Stdout).Encode(out)
}

func minutesOf(engine *promql.Engine, in input, query string) ([]int, error) {
	ctx := context.Background()
	made, err := engine.NewRangeQuery(ctx, memory(in.Series), nil, query, at(in.First), at(in.Last), time.Minute)
	if err != nil {
		return nil, err
	}
	defer made.Close()
	matrix, err := made.Exec(ctx).Matrix()
	if err != nil {
		return nil, err
	}
	minutes := []int{}
	for _, result := range matrix {
		for _, point := range result.Floats {
			minutes = append(minutes, int(point.T/60_000))
		}
	}
	slices.Sort(minutes)
	return slices.Compact(minutes), nil
}

func at(minute int) time.Time {
	return time.UnixMilli(int64(minute) * 60_000)
}

// memory is a queryable over series that lie in memory.
type memory []series

func (m memory) Querier(int64, int64) (storage.Querier, error) { return m, nil }

func (m memory) Select(_ context.Context, _ bool, _ *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
	found := []storage.Series{}
	for _, one := range m {
		lset := labels.FromMap(one.Labels)
		if slices.ContainsFunc(matchers, func(matcher *labels.Matcher) bool { return !matcher.Matches(lset.Get(matcher.Name)) }) {
			continue
		}
		samples := []chunks.Sample{}
		for minute, value := range one.Values {
			if value != nil {
				samples = append(samples, sample{t: int64(minute) * 60_000, f: *value})
			}
		}
		found = append(found, storage.NewListSeries(lset, samples))
	}
	return &seriesSet{rest: found}
}

func (memory) LabelValues(context.Context, string, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil
}

func (memory) LabelNames(context.Context, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil
}

func (memory) Close() error { return nil }

// seriesSet goes through series one by one.
type seriesSet struct {
	current storage.Series
	rest    []storage.Series
}

func (s *seriesSet) Next() bool {
	if len(s.rest) == 0 {
		return false
	}
	s.current, s.rest = s.rest[0], s.rest[1:]
	return true
}

func (s *seriesSet) At() storage.Series              { return s.current }
func (*seriesSet) Err() error                        { return nil }
func (*seriesSet) Warnings() annotations.Annotations { return nil }

type sample struct {
	t int64
	f float64
}

func (s sample) T() int64                    { return s.t }
func (s sample) F() float64                  { return s.f }
func (sample) H() *histogram.Histogram       { return nil }
func (sample) FH() *histogram.FloatHistogram { return nil }
func (sample) Type() chunkenc.ValueType      { return chunkenc.ValFloat }
func (s sample) Copy() chunks.Sample         { return s }

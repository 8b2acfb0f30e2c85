import { CATEGORY_KINDS, showCategories } from '../chart/category-chart.js';
import { categoriesOf, seriesOf } from '../chart/series.js';
import { bestKind, CHART_KINDS, showSeries } from '../chart/series-chart.js';
import { element, option } from './elements.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { CategoryKind } from '../chart/category-chart.js' */
/** @import { ChartKind } from '../chart/series-chart.js' */
/** @import { Row } from '../result/columns.js' */
/** @import { Zone } from '../time/format-time.js' */

/**
 * The chart above the rows, of results that can be drawn. What kind it is can be chosen, and stays so for the next results.
 *
 * @param {HTMLElement} host
 */
export function makeChartView(host) {
  /** @type {ChartKind | null} */
  let seriesKind = null;
  /** @type {CategoryKind} */
  let categoryKind = 'bars';

  /** @param {readonly ColumnSchema[]} columns @param {readonly Row[]} rows @param {Zone} zone */
  function show(columns, rows, zone) {
    const again = () => {
      show(columns, rows, zone);
      const chooser = host.querySelector('.chart-kind');
      if (chooser instanceof HTMLElement) chooser.focus();
    };
    const series = seriesOf(columns, rows);
    const categories = series === null ? categoriesOf(columns, rows) : null;
    host.hidden = series === null && categories === null;
    if (series !== null) {
      const kind = seriesKind ?? bestKind(series);
      const chooser = makeChooser(CHART_KINDS, kind, (next) => {
        seriesKind = next;
        again();
      });
      showSeries(host, series, { zone: series.hasZone ? zone : 'utc', kind, chooser });
    }
    if (categories !== null) {
      const chooser = makeChooser(CATEGORY_KINDS, categoryKind, (next) => {
        categoryKind = next;
        again();
      });
      showCategories(host, categories, { kind: categoryKind, chooser });
    }
  }

  return {
    show,
    hide() {
      host.hidden = true;
    },
  };
}

/**
 * @template {string} Kind
 * @param {readonly (readonly [Kind, string])[]} kinds
 * @param {Kind} chosen
 * @param {(kind: Kind) => void} choose
 */
function makeChooser(kinds, chosen, choose) {
  const chooser = element(
    'select',
    { 'aria-label': 'Kind of chart', class: 'chart-kind' },
    ...kinds.map(([value, label]) => option(value, label)),
  );
  chooser.value = chosen;
  chooser.addEventListener('change', () => {
    const next = kinds.find(([value]) => value === chooser.value);
    if (next !== undefined) choose(next[0]);
  });
  return chooser;
}

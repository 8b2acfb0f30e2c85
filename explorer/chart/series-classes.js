import { seriesSeverity } from '../severity/severity.js';

/** Series of one severity that can be distinguished by the shade of its colour, besides the first. */
const MOST_SHADES = 2;

/**
 * The class of each series: that of a severity where the name says one, in another shade for each further series of it, else one of the
 * colours that stand for no severity.
 *
 * @param {readonly string[]} names
 * @returns {readonly string[]}
 */
export function seriesClasses(names) {
  const severities = names.map(seriesSeverity);
  // The first of these colours is that of info.
  let plain = severities.includes('info') ? 1 : 0;
  return severities.map((severity, index) => {
    const before = severities.slice(0, index).filter((one) => one === severity).length;
    if (severity === null || before > MOST_SHADES) return `series series-${++plain}`;
    return `series severity-${severity}${before === 0 ? '' : ` shade-${before}`}`;
  });
}

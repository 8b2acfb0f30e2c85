/**
 * The delimiters of LOG_ANALYZER.
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/text-analysis#log_analyzer
 */
const LETTERS = '[]<>(){}|!;,\'"*&?+/:=@.-$%\\_\n\r \t';
const ENCODED = '21 26 2526 3B 3b 7C 7c 20 2B 2b 3D 3d 2520 5D 5d 5B 5b 3A 3a 0A 0a 2C 2c 28 29'.split(' ');

const escaped = LETTERS.replace(/[\]\\^-]/g, (letter) => `\\${letter}`);
/** The longest of those that begin alike comes first. */
const alternatives = ENCODED.toSorted((a, b) => b.length - a.length);
const DELIMITER = `(?:%(?:${alternatives.join('|')})|[${escaped}])`;

const DELIMITERS = new RegExp(DELIMITER, 'g');
const STARTS = new RegExp(DELIMITER, 'y');
const ENDS = new RegExp(`${DELIMITER}$`);
const LONGEST_DELIMITER = 5;

/** The tokens that LOG_ANALYZER makes of a text: between delimiters, ASCII in lower case. */
export function tokensOf(text: string): readonly string[] {
  return text
    .split(DELIMITERS)
    .filter((token) => token !== '')
    .map((token) => token.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()));
}

/** Whether a text has another one as it is, between delimiters or the ends. */
export function hasExactly(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const isBegun = at === 0 || ENDS.test(text.slice(Math.max(0, at - LONGEST_DELIMITER), at));
    STARTS.lastIndex = at + part.length;
    if (isBegun && (STARTS.lastIndex === text.length || STARTS.test(text))) return true;
  }
  return false;
}

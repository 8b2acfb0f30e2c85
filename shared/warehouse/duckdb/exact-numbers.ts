/** The largest whole number up to which JSON's numbers are exact everywhere. */
export const MAX_EXACT_INTEGER = 2 ** 53;

/** What a row's text does not say of its numbers. */
export interface RawNumbers {
  /** The columns whose numbers are TIMESTAMPs, which stay numbers however large they are. */
  readonly timestamps: ReadonlySet<string>;
}

/** Finds out fast that a row has no number to mend; inside strings it may find some that are none. */
const SUSPECT = /[:,[]-?(?:[0-9]{17,}|9[0-9]{15}|NaN|Infinity)/;

/** A string or a number as a whole, or a mark that says where in the row it stands. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]|-?(?:[0-9][0-9.eE+-]*|NaN|Infinity)/g;

const LARGEST = BigInt(MAX_EXACT_INTEGER);

/**
 * Puts the numbers of a row's text that DuckDB wrote into their wire types: whole numbers beyond 2^53 but TIMESTAMPs,
 * NaN and the infinities become strings. Takes time linear in the text.
 */
export function exactNumbers(json: string, { timestamps }: RawNumbers): string {
  if (!SUSPECT.test(json)) return json;
  let depth = 0;
  let lastString = '';
  let column = '';
  const isTimestamp = (key: string) => key !== '' && timestamps.has(String(JSON.parse(key)));
  return json.replace(TOKEN, (token) => {
    switch (token[0]) {
      case '"':
        lastString = token;
        break;
      case '{':
      case '[':
        depth++;
        break;
      case '}':
      case ']':
        depth--;
        break;
      case ':':
        if (depth === 1) column = lastString;
        break;
      default:
        if (!isExact(token) && !(depth === 1 && isTimestamp(column))) return `"${token}"`;
    }
    return token;
  });
}

function isExact(token: string): boolean {
  if (token.endsWith('N') || token.endsWith('y')) return false;
  if (/[.eE]/.test(token)) return true;
  const value = BigInt(token);
  return value <= LARGEST && value >= -LARGEST;
}

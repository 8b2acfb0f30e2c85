import { skipSpace, stringEnd } from '../../../json/scan-json.ts';

const QUOTE = 0x22;
const COLON = ':';
const LAST_SPACE = 0x20;

/**
 * Finds a key that one object of a JSON text has twice: the keys that lead to it, or null where there is none. JSON.parse
 * takes the last of them without a word. `text` is valid JSON, and `keyCount` how many keys its objects have that were
 * looked at, each once.
 */
export function doubledKey(text: string, keyCount: number): readonly string[] | null {
  return colonsBehindQuotes(text) === keyCount ? null : findDoubledKey(text);
}

/**
 * How many colons directly follow a quote. That is at least the number of keys, as long as no key has white space
 * after it: then the answer is -1. Texts in which a quote comes before a colon only make it larger.
 */
function colonsBehindQuotes(text: string): number {
  let count = 0;
  for (let at = text.indexOf(COLON); at !== -1; at = text.indexOf(COLON, at + 1)) {
    const before = text.charCodeAt(at - 1);
    if (before === QUOTE) count += 1;
    else if (before <= LAST_SPACE) return -1;
  }
  return count;
}

/** An object or, without keys, an array that has been opened and not closed yet. */
interface Open {
  readonly keys: Set<string> | null;
  key: string | null;
}

function findDoubledKey(text: string): readonly string[] | null {
  const open: Open[] = [];
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '{':
        open.push({ keys: new Set(), key: null });
        break;
      case '[':
        open.push({ keys: null, key: null });
        break;
      case '}':
      case ']':
        open.pop();
        break;
      case '"': {
        const end = stringEnd(text, at);
        const innermost = open.at(-1);
        if (innermost?.keys && text[skipSpace(text, end)] === COLON) {
          const key = JSON.parse(text.slice(at, end)) as string;
          innermost.key = key;
          if (innermost.keys.has(key)) return open.flatMap((one) => one.key ?? []);
          innermost.keys.add(key);
        }
        at = end - 1;
        break;
      }
    }
  }
  return null;
}

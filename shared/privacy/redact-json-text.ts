import { skipSpace, stringEnd } from '../json/scan-json.ts';
import type { Redaction } from './redaction.ts';

const QUOTE = 0x22;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const STRUCTURE = /["{}[\]]/g;

/** What is done to each string of a JSON text. */
export interface StringRedaction {
  /** Matches in every string, as it is written in JSON, that `redact` changes. Not global. */
  readonly hint: RegExp;
  redact(text: string): Redaction;
}

/**
 * Redacts every string of the text of a JSON value, at any depth, nested object keys too.
 * The keys of the outermost object are column names and stay. Everything that holds no address comes back as it
 * was written, so numbers keep all their digits. Two keys of one object that would both become `REDACTED` are written
 * as `REDACTED`, `REDACTED_2`, …, because readers of JSON keep only one of two equal keys.
 *
 * Where a string does not end or brackets do not match, the whole is redacted as plain text.
 */
export function redactJsonText(json: string, strings: StringRedaction): Redaction {
  const scan = new JsonScan(json, strings);
  return scan.run() ? scan.result() : strings.redact(json);
}

/** One pass over one JSON text. */
class JsonScan {
  readonly #json: string;
  readonly #strings: StringRedaction;
  readonly #parts: string[] = [];
  /** Per open object or array, how many redacted texts each of its keys has taken. */
  readonly #keys: (Map<string, number> | undefined)[] = [];
  #copiedTo = 0;
  #count = 0;
  #isRecord = false;

  constructor(json: string, strings: StringRedaction) {
    this.#json = json;
    this.#strings = strings;
  }

  result(): Redaction {
    if (this.#count === 0) return { text: this.#json, count: 0 };
    return { text: this.#parts.join('') + this.#json.slice(this.#copiedTo), count: this.#count };
  }

  /** False when the text is not JSON as far as this pass can see. */
  run(): boolean {
    const json = this.#json;
    STRUCTURE.lastIndex = 0;
    while (STRUCTURE.test(json)) {
      const at = STRUCTURE.lastIndex - 1;
      const code = json.charCodeAt(at);
      if (code === QUOTE) {
        const end = this.#readString(at);
        if (end === -1) return false;
        STRUCTURE.lastIndex = end;
      } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
        if (this.#keys.length === 0) this.#isRecord = code === OPEN_OBJECT;
        this.#keys.push(undefined);
      } else {
        if (this.#keys.length === 0) return false;
        this.#keys.pop();
      }
    }
    return this.#keys.length === 0;
  }

  /** Answers where the string that begins at `start` ends, -1 when it does not end or cannot be decoded. */
  #readString(start: number): number {
    const json = this.#json;
    const end = stringEnd(json, start);
    if (end === -1) return -1;
    const raw = json.slice(start + 1, end - 1);
    if (!this.#strings.hint.test(raw)) return end;
    const isKey = json[skipSpace(json, end)] === ':';
    if (isKey && this.#isRecord && this.#keys.length === 1) return end;
    const value = raw.includes('\\') ? decode(raw) : raw;
    if (value === null) return -1;
    const { text, count } = this.#strings.redact(value);
    if (count === 0) return end;
    const written = JSON.stringify(isKey ? this.#distinctKey(text) : text);
    this.#parts.push(json.slice(this.#copiedTo, start), written);
    this.#copiedTo = end;
    this.#count += count;
    return end;
  }

  #distinctKey(key: string): string {
    const depth = this.#keys.length - 1;
    const taken = this.#keys[depth] ?? new Map<string, number>();
    this.#keys[depth] = taken;
    const times = (taken.get(key) ?? 0) + 1;
    taken.set(key, times);
    return times === 1 ? key : `${key}_${times}`;
  }
}

function decode(raw: string): string | null {
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return null;
  }
}

import { type JavaScriptFunction, javaScriptFunction, ValueError } from './javascript-function.ts';

/** Unicode's case folding of one character, by its upper case but for those whose upper case has another folding. */
function folded(character: string): string {
  const known = FOLDINGS.get(character);
  if (known !== undefined) return known;
  const upper = character.toUpperCase();
  return isCherokee(upper) ? upper : [...upper].map((one) => one.toLowerCase()).join('');
}

/** The letters with a dot or without one, and the capital sharp s. */
const FOLDINGS: ReadonlyMap<string, string> = new Map([
  ['\u0130', 'i\u0307'],
  ['\u0131', '\u0131'],
  ['\u1e9e', 'ss'],
]);

const isCherokee = (text: string): boolean => /^[\u13a0-\u13f5]$/.test(text);

type Form = 'NFC' | 'NFD' | 'NFKC' | 'NFKD';
const FORMS: readonly Form[] = ['NFC', 'NFD', 'NFKC', 'NFKD'];

function formOf(name: string): Form {
  const form = FORMS.find((one) => one === name);
  if (form === undefined) throw new ValueError(`Invalid normalization mode ${name}`);
  return form;
}

/** A text in a normal form without its case, which may be no normal form then. */
export function foldedText(text: string, form: Form): string {
  return Array.from(text.normalize(form), folded).join('');
}

/** Letters of which the upper case of one letter is not that of words: Greek with a small iota beneath. */
const CAPITALS: ReadonlyMap<string, string> = new Map(
  Array.from({ length: 0x1ffd - 0x1f80 }, (_, index) => String.fromCharCode(0x1f80 + index)).flatMap(
    (capital) => {
      const small = capital.toLowerCase();
      return small === capital ? [] : [[small, capital]];
    },
  ),
);

const isOne = (text: string): boolean => text.length <= 2 && [...text].length === 1;

function capital(character: string): string {
  const upper = character.toUpperCase();
  return isOne(upper) ? upper : (CAPITALS.get(character) ?? character);
}

function small(character: string): string {
  const lower = character.toLowerCase();
  return isOne(lower) ? lower : 'i';
}

function initcap(text: string, delimiters: string): string {
  const ends = new Set(delimiters);
  let isStart = true;
  return Array.from(text, (character) => {
    if (ends.has(character)) {
      isStart = true;
      return character;
    }
    const written = isStart ? capital(character) : small(character);
    isStart = false;
    return written;
  }).join('');
}

/** Groups of letters that sound alike; what is in none of them is left out. */
const SOUNDS: readonly string[] = ['', 'BFPV', 'CGJKQSXZ', 'DT', 'L', 'MN', 'R'];
const CODE_LENGTH = 4;

function soundex(text: string): string {
  const [first, ...others] = text.match(/[A-Za-z]/g) ?? [];
  if (first === undefined) return '';
  const soundOf = (letter: string) => SOUNDS.findIndex((group) => group.includes(letter.toUpperCase()));
  let code = first;
  let last = soundOf(first);
  for (const letter of others) {
    if (code.length === CODE_LENGTH) break;
    const sound = soundOf(letter);
    if (sound < 0) continue;
    if (sound !== last) code += sound;
    last = sound;
  }
  return code.padEnd(CODE_LENGTH, '0');
}

/** The least number of characters put in, taken out or replaced that makes one text the other. */
function editDistance(a: string, b: string): bigint {
  const [left, right] = [[...a], [...b]];
  const row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [index, character] of left.entries()) {
    let diagonal = index;
    row[0] = index + 1;
    for (let at = 1; at <= right.length; at++) {
      const above = row[at] ?? 0;
      const replaced = diagonal + (right[at - 1] === character ? 0 : 1);
      row[at] = Math.min(replaced, above + 1, (row[at - 1] ?? 0) + 1);
      diagonal = above;
    }
  }
  return BigInt(row[right.length] ?? 0);
}

/** Text of UTF-8; each byte that has no part in a character becomes U+FFFD. */
function validText(bytes: Uint8Array): string {
  const all = Buffer.from(bytes);
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < all.length; ) {
    const width = widthAt(all, at);
    if (width > 0) {
      at += width;
      continue;
    }
    pieces.push(all.toString('utf8', from, at), '\ufffd');
    from = ++at;
  }
  return pieces.concat(all.toString('utf8', from)).join('');
}

/** How many bytes the character at a place has; 0 if there is none. */
function widthAt(bytes: Uint8Array, at: number): number {
  const [first = 0, second = 0] = bytes.subarray(at, at + 2);
  if (first < 0x80) return 1;
  const width = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + width > bytes.length) return 0;
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 0;
  const others = bytes.subarray(at + 2, at + width);
  return others.every((byte) => (byte & 0xc0) === 0x80) ? width : 0;
}

/** TRANSLATE: each character of one text becomes that of the other at the same place, or nothing. */
function translated(text: string, from: string, to: string): string {
  const targets = [...to];
  const changes = new Map<string, string>();
  for (const [index, character] of [...from].entries()) {
    if (changes.has(character))
      throw new ValueError(`Duplicate character "${character}" in TRANSLATE source characters`);
    changes.set(character, targets[index] ?? '');
  }
  return Array.from(text, (character) => changes.get(character) ?? character).join('');
}

/** Text as Unicode has it, and as BYTES stand for it. */
export const TEXT_FUNCTIONS: readonly JavaScriptFunction[] = [
  javaScriptFunction('gsql_upper', ['VARCHAR'], 'VARCHAR', (text) => text.toUpperCase()),
  javaScriptFunction('gsql_lower', ['VARCHAR'], 'VARCHAR', (text) => text.toLowerCase()),
  javaScriptFunction('gsql_initcap', ['VARCHAR', 'VARCHAR'], 'VARCHAR', initcap),
  javaScriptFunction('gsql_normalize', ['VARCHAR', 'VARCHAR'], 'VARCHAR', (text, form) =>
    text.normalize(formOf(form)),
  ),
  javaScriptFunction('gsql_fold', ['VARCHAR', 'VARCHAR'], 'VARCHAR', (text, form) =>
    foldedText(text, formOf(form)),
  ),
  javaScriptFunction('gsql_soundex', ['VARCHAR'], 'VARCHAR', soundex),
  javaScriptFunction('gsql_edit_distance', ['VARCHAR', 'VARCHAR'], 'BIGINT', editDistance),
  javaScriptFunction('gsql_translate', ['VARCHAR', 'VARCHAR', 'VARCHAR'], 'VARCHAR', translated),
  javaScriptFunction('gsql_valid_text', ['BLOB'], 'VARCHAR', validText),
  javaScriptFunction('gsql_latin1_text', ['BLOB'], 'VARCHAR', (bytes) =>
    Buffer.from(bytes).toString('latin1'),
  ),
  javaScriptFunction('gsql_latin1_bytes', ['VARCHAR'], 'BLOB', (text) => Buffer.from(text, 'latin1')),
];

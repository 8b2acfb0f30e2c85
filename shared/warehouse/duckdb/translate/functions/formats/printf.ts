import { REFUSAL } from '../../not-supported.ts';
import { ValueError } from '../javascript/javascript-function.ts';
import { formatFraction, formatInteger, formatText, type PrintfSpec } from './printf-number.ts';

/** Most characters that one value of FORMAT is filled up to. */
const MAX_WIDTH = 1_000;

/** A piece of a format: text as it is, or a specifier with the places of the values that it takes. */
export type PrintfPiece =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'value';
      readonly flags: string;
      readonly width: number | Place;
      readonly precision: number | Place | null;
      readonly letter: string;
      readonly value: Place;
    };

/** The place of an argument of FORMAT; the format itself has 0. */
export interface Place {
  readonly index: number;
}

const SPECIFIER = /%(?:%|([-+ 0#']*)(\*|\d*)(?:(\.)(\*|-?\d*))?([diouxXfFeEgGsStTpP]))/gu;

/** The pieces of a format for so many values. Throws ValueError for a format that GoogleSQL refuses, and for other numbers of values. */
export function readPrintf(format: string, count: number): readonly PrintfPiece[] {
  const pieces: PrintfPiece[] = [];
  let [end, next] = [0, 1];
  const plain = (text: string) => {
    if (text.includes('%')) throw new ValueError(`Invalid FORMAT string: "${format.slice(0, 100)}"`);
    if (text !== '') pieces.push({ kind: 'text', text });
  };
  const number = (text: string) => (text === '*' ? { index: next++ } : Number(text));
  for (const match of format.matchAll(SPECIFIER)) {
    const [all, flags = '', width = '', point, precision = '', letter] = match;
    plain(format.slice(end, match.index));
    end = match.index + all.length;
    if (letter === undefined) {
      pieces.push({ kind: 'text', text: '%' });
      continue;
    }
    if (letter === 'S') throw new ValueError('Invalid format specifier character "S"');
    const [wide, places] = [number(width), point === undefined ? null : number(precision)];
    pieces.push({ kind: 'value', flags, width: wide, precision: places, letter, value: { index: next++ } });
  }
  plain(format.slice(end));
  if (next !== count + 1)
    throw new ValueError(
      `Too ${next > count + 1 ? 'few' : 'many'} arguments to FORMAT for pattern "${format.slice(0, 100)}"; Expected ${next}; Got ${count + 1}`,
    );
  return pieces;
}

/** What values a letter takes, and how they are called in errors. */
const TAKEN: readonly (readonly [RegExp, readonly string[], string])[] = [
  [/[dioxX]/, ['INT64'], 'integer'],
  [/u/, [], 'UINT'],
  [/[fFeEgG]/, ['FLOAT64', 'NUMERIC', 'BIGNUMERIC'], 'FLOAT64'],
  [/s/, ['STRING'], 'STRING'],
  [/[pP]/, ['JSON'], 'JSON'],
];

/** Throws ValueError where a value's type is none that its letter takes. */
export function checkPrintfTypes(pieces: readonly PrintfPiece[], types: readonly string[]): void {
  const check = (place: number | Place | null, kinds: readonly string[], wanted: string) => {
    if (typeof place !== 'object' || place === null) return;
    const found = types[place.index - 1] ?? '';
    if (kinds.includes(found)) return;
    throw new ValueError(
      `Invalid type for argument ${place.index + 1} to FORMAT; Expected ${wanted}; Got ${found}`,
    );
  };
  for (const piece of pieces) {
    if (piece.kind === 'text') continue;
    check(piece.width, ['INT64'], 'integer');
    check(piece.precision, ['INT64'], 'integer');
    const [, kinds, wanted] = TAKEN.find(([letters]) => letters.test(piece.letter)) ?? [];
    if (kinds !== undefined && wanted !== undefined) check(piece.value, kinds, wanted);
  }
}

/** A width below zero fills up on the right, a precision below zero is none. */
export function printfSpec(
  flags: string,
  width: number,
  precision: number | null,
  letter: string,
): PrintfSpec {
  if (Math.abs(width) > MAX_WIDTH || (precision ?? 0) > MAX_WIDTH)
    throw new ValueError(`${REFUSAL}FORMAT with a width or precision above ${MAX_WIDTH}`);
  return {
    flags: width < 0 ? `${flags}-` : flags,
    width: Math.abs(width),
    precision: precision === null || precision < 0 ? null : precision,
    letter,
  };
}

/** A value as a specifier writes it; `text` is that of the number, or what `%t`, `%T`, `%p` and `%P` show. */
export function printfValue(text: string, kind: string, spec: PrintfSpec): string {
  if (/[dioxX]/.test(spec.letter)) return formatInteger(text, spec);
  if (/[fFeEgG]/.test(spec.letter)) return formatFraction(text, kind === 'FLOAT64', spec);
  return formatText(text, spec);
}

/** The texts of a value for each kind of letter; null for NULL. */
interface PrintfTexts {
  readonly plain: string | null;
  readonly t: string;
  readonly capital: string;
  readonly pretty: string | null;
}

function textFor(value: PrintfTexts | undefined, letter: string): string | null | undefined {
  if (letter === 't') return value?.t;
  if (letter === 'T') return value?.capital;
  return letter === 'P' ? value?.pretty : value?.plain;
}

/** FORMAT with a format that is known only when it runs. `values` is JSON of the texts of all values; NULL for NULL. */
export function formatPrintf(format: string, types: string, values: string): string | null {
  const kinds = types === '' ? [] : types.split(',');
  const all = JSON.parse(values) as readonly PrintfTexts[];
  const pieces = readPrintf(format, kinds.length);
  checkPrintfTypes(pieces, kinds);
  const at = ({ index }: Place): PrintfTexts | undefined => all[index - 1];
  let isNull = false;
  const numberAt = (place: number | Place): number => {
    if (typeof place === 'number') return place;
    const text = at(place)?.plain ?? null;
    isNull ||= text === null;
    return Number(text);
  };
  const texts = pieces.map((piece) => {
    if (piece.kind === 'text') return piece.text;
    const { flags, letter, precision } = piece;
    const spec = printfSpec(
      flags,
      numberAt(piece.width),
      precision === null ? null : numberAt(precision),
      letter,
    );
    const text = textFor(at(piece.value), letter);
    isNull ||= text === null || text === undefined;
    return isNull ? '' : printfValue(text ?? '', kinds[piece.value.index - 1] ?? '', spec);
  });
  return isNull ? null : texts.join('');
}

import type { Environment } from '../../shared/runtime/config.ts';

/** Puts a mark around text, or leaves it as it is. */
export type Paint = (text: string) => string;

/** The marks in use. */
export interface Colours {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly yellow: Paint;
}

const PLAIN: Paint = (text) => text;
const sequence =
  (on: number, off: number): Paint =>
  (text) =>
    `\u001b[${on}m${text}\u001b[${off}m`;

/** Colours for a terminal, none for anything else, nor where NO_COLOR (no-color.org) or a dumb terminal forbids them. */
export function coloursFor(stream: { readonly isTTY?: boolean }, env: Environment): Colours {
  const isPlain = stream.isTTY !== true || Boolean(env.NO_COLOR) || env.TERM === 'dumb';
  if (isPlain) return { bold: PLAIN, dim: PLAIN, red: PLAIN, yellow: PLAIN };
  return { bold: sequence(1, 22), dim: sequence(2, 22), red: sequence(31, 39), yellow: sequence(33, 39) };
}

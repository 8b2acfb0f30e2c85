import {
  arrayOf,
  INT64,
  JSON_TYPE,
  SCALAR_TYPES,
  type SqlType,
  STRING,
} from '../../../shared/sql/types/sql-type.ts';
import type { Random } from '../../fuzz/generate/random.ts';

const FLAGS = ['', '', '', '-', '0', '+', ' ', '#', "'", '-0', '+0', "'0", '+ ', "-'"];
const NUMBERS = ['FLOAT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC'] as const;
const STRUCT: SqlType = {
  kind: 'STRUCT',
  fields: [
    { name: 'x', type: INT64 },
    { name: 'y', type: STRING },
  ],
};

/** A format for FORMAT, and the types of the values that it takes. */
export function printfFormat(random: Random): { readonly text: string; readonly types: readonly SqlType[] } {
  const types: SqlType[] = [];
  const texts = random.several(1, 2, () => {
    const star = () => {
      types.push(INT64);
      return '*';
    };
    const width = random.pick(['', '', '', '1', '5', '12', '*']);
    const precision = random.pick(['', '', '', '.', '.0', '.1', '.3', '.10', '.*']);
    const letter = random.pick([...'ddixXouffFeEgGssttTTpP']);
    const flags = random.pick(FLAGS);
    // groupedPrecision of differences.ts
    const places = flags.includes("'") && 'dixXo'.includes(letter) ? '' : precision;
    const spec = `%${flags}${width === '*' ? star() : width}${places === '.*' ? `.${star()}` : places}`;
    types.push(typeFor(letter, random));
    return `${random.pick(['', '', 'x', '%%'])}${spec}${letter}`;
  });
  return { text: texts.join(random.pick(['', ' ', '|'])), types };
}

function typeFor(letter: string, random: Random): SqlType {
  if (random.chance(0.03)) return { kind: random.pick(SCALAR_TYPES) };
  if ('dixXou'.includes(letter)) return INT64;
  if ('fFeEgG'.includes(letter)) return { kind: random.pick(NUMBERS) };
  if (letter === 's') return STRING;
  if (letter === 'p' || letter === 'P') return JSON_TYPE;
  if (random.chance(0.1)) return STRUCT;
  const scalar: SqlType = { kind: random.pick(SCALAR_TYPES) };
  return random.chance(0.2) ? arrayOf(scalar) : scalar;
}

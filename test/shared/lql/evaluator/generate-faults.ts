import fc from 'fast-check';
import type { FaultClass } from './model.ts';
import { type Field, type Fields, pathsOf } from './schema.ts';
import { UNREADABLE } from './unreadable-clauses.ts';

/** A clause that no query can have. */
export interface FaultyClause {
  readonly text: string;
  readonly fault: FaultClass;
}

/** Faults that one clause of a query can have over a source. */
export function generateFault(fields: Fields): fc.Arbitrary<FaultyClause> {
  const unreadable = fc.constantFrom(...UNREADABLE).map((text): FaultyClause => ({ text, fault: 'syntax' }));
  const unknown = fc
    .constantFrom(
      'm.nope',
      'nope',
      'm',
      'M.host',
      'project',
      'm.',
      'm..host',
      '.m',
      'id.x',
      'metadata.metadata',
      '12',
      'hasOwnProperty',
    )
    .chain((path) =>
      fc.constantFrom(`${path}:1`, `-${path}:NULL`, `${path}:>"x"`, `${path}:~x`, `${path}:@>x`),
    )
    .map((text): FaultyClause => ({ text, fault: 'unknown_field' }));
  const ill = fc
    .constantFrom(...pathsOf(fields).filter(([path]) => path !== 'timestamp'))
    .chain(([path, field]) =>
      fc
        .tuple(fc.constantFrom('', '-'), fc.constantFrom(...misuses(field)))
        .map(([minus, [test, fault]]) => ({
          text: `${minus}${path}${test}`,
          fault,
        })),
    );
  const second = fc.constant<FaultyClause>({ text: 't:this@second', fault: 'unsupported' });
  return fc.oneof(
    { weight: 4, arbitrary: unreadable },
    { weight: 2, arbitrary: unknown },
    { weight: 6, arbitrary: ill },
    { weight: 1, arbitrary: second },
  );
}

/** Tests that do not fit a field, with their faults. */
function misuses(field: Field): readonly (readonly [string, FaultClass])[] {
  const listTests = unsupported(':@>1', ':@>~x');
  if (field.kind === 'record') return [...unsupported(':x', ':>5', ':1..2', ':~x', ':NULL'), ...listTests];
  const type = field.kind === 'list' ? field.element : field.type;
  if (field.kind === 'list') {
    const scalarTests = unsupported(':>1', ':<=x', ':1..2', ':~x');
    return type === 'STRING'
      ? scalarTests
      : [...scalarTests, ...unsupported(':@>~1'), ...illTyped(':@>x', ':@>1.5')];
  }
  switch (type) {
    case 'INT64':
      return [
        ...listTests,
        ...unsupported(':~5', ':~"^a"'),
        ...illTyped(
          ':abc',
          ':>1.5',
          ':"+5"',
          ':" 5"',
          ':""',
          ':1..2.5',
          ':2024-01-01',
          ':9223372036854775808',
          ':true',
          ':1e3',
        ),
      ];
    case 'FLOAT64':
      return [
        ...listTests,
        ...unsupported(':~5'),
        ...illTyped(':abc', ':>"5."', ':".5"', ':1e3', ':"NaN"', ':2024-01-01..2024-01-02'),
      ];
    case 'BOOL':
      return [...listTests, ...unsupported(':~t', ':1..2'), ...illTyped(':TRUE', ':1', ':"t"', ':""')];
    default:
      return listTests;
  }
}

function unsupported(...tests: readonly string[]): (readonly [string, FaultClass])[] {
  return tests.map((test) => [test, 'unsupported']);
}

function illTyped(...tests: readonly string[]): (readonly [string, FaultClass])[] {
  return tests.map((test) => [test, 'type']);
}

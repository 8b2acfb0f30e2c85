import fc from 'fast-check';
import type { FaultClass } from './model.ts';
import { type Field, type Fields, pathsOf } from './schema.ts';

/** A clause that no query can have. */
export interface FaultyClause {
  readonly text: string;
  readonly fault: FaultClass;
}

/** Clauses that cannot be read, wherever they stand; paths in them need not exist. */
const UNREADABLE = [
  'm.host:a-b',
  'm.host:10.0.0.1',
  'm.host:/x',
  'm.host:x:y',
  'm.host:é',
  'm.host:',
  'm.host:>',
  'm.host:~',
  'm.host:@>',
  'm.host:>NULL',
  'm.host:~NULL',
  'm.host:@>~NULL',
  'm.host:>1..2',
  'm.host:>>5',
  'm.host:=5',
  'm.host:!5',
  'm.host:-5',
  'm.host:1..',
  'm.host:..2',
  'm.host:1..2..3',
  'm.host:1...2',
  'm.host:5.',
  'm.host:.5',
  'm.host:1.2.3',
  'm.host:"a"b',
  'm.host:(a)b',
  'm.host:"1".."2"',
  'm.host:a..b',
  'm.host:2024-01-01..5',
  'm.host:~"("',
  'm.host:@>~"[a"',
  'm.nope:~"*"',
  'm.level:warn..error',
  'm.level:info..',
  'm.level:info..Error',
  'm.level:>info..error',
  '-',
  '~',
  '-~',
  '-"a"b',
  '"a""b"',
  "it's",
  'été',
  'a`b',
  'a"b"',
  '~"(?=x)"',
  '~"a{2,1}"',
  '~)',
  ':x',
  'f:',
  'f:"x"',
  'from:a-b',
  '-f:x',
  's:',
  's:id@',
  's:id@a-b',
  's:*@x',
  's:"id"',
  '-s:id',
  '-c:count(*)',
  'c:',
  'c:count',
  'c:count()',
  'c:min(id)',
  'c:count(*)x',
  'c:group_by(t::week)',
  'c:group_by(t::hours)',
  'c:group_by(id::day)',
  'c:group_by(t:day)',
  't:',
  't:>',
  't:notadate',
  't:2024-02-30',
  't:2023-02-29',
  't:2024-00-10',
  't:2024-01-01T10:30',
  't:2024-01-01T24:00:00',
  't:2024-01-01T00:60:00',
  't:2024-01-01T00:00:00.1234567',
  't:2024-01-01t00:00:00',
  't:2024-1-1',
  't:20240101',
  't:123456789',
  't:12345678901',
  't:>today',
  't:>=last@1h',
  't:<2024-01-01..2024-01-02',
  't:>2024-{01..02}-01',
  't:2024-01-01..',
  't:..2024-01-01',
  't:now..2024-01-01',
  't:2024-01-01..2024-01-02T00:00:00Z',
  't:1709735720..2024-03-06T14:35:21',
  't:2024-{1..2}-01',
  't:2024-02-{28..30}',
  't:2024-01-{01..02..03}',
  't:2024-01-{01.02}',
  't:{2024-01-01..2024-01-02}',
  't:last@',
  't:last@5',
  't:last@12345s',
  't:last@5min',
  't:last@1.5h',
  't:last@-1h',
  't:last@h1',
  't:this@',
  't:this@1h',
  't:this@quarter',
  't:tomorrow',
  't:Today',
  't:NULL',
  't:"today"',
  't:(today)',
  't:~2024',
  't:@>2024',
  '-t:nope',
  '-t:>today',
] as const;

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

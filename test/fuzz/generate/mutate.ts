import { blank, lexeme, plainBlank } from './lexemes.ts';
import type { Random } from './random.ts';

/** Roughly tokens: the pieces that mutations move about. What they put together is no query by rule. */
const PIECE =
  /\s+|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|[@\w]+|(?:--|#)[^\n\r]*|\/\*.*?\*\/|[<>|!=]{2}|[\s\S]/gu;

const WORDS = [
  ...[
    'select',
    'from',
    'where',
    'with',
    'as',
    'join',
    'on',
    'using',
    'group by',
    'order by',
    'limit',
    'union all',
    'except',
  ],
  ...[
    'unnest',
    'cross join',
    'left join',
    'natural',
    'lateral',
    'tablesample',
    'pivot',
    'unpivot',
    'for system_time as of',
    'window',
    'qualify',
  ],
  ...[
    'recursive',
    'struct',
    'array',
    'exists',
    'in',
    'not',
    'null',
    'and',
    'or',
    'between',
    'case',
    'end',
    'cast',
    'distinct',
    'all',
  ],
  ...[
    'over',
    'partition by',
    'rows',
    'range',
    'with offset',
    'offset',
    'replace',
    'interval',
    'extract',
    'table',
    'model',
    'options',
  ],
  ...[
    'secret.t',
    '`p.d.t`',
    '`edge_logs`',
    'edge_logs',
    'logs.edge_logs',
    'edge_logs_*',
    'INFORMATION_SCHEMA.TABLES',
    'm',
    'metadata',
  ],
  ...[
    '|> where true',
    '|> select 1',
    '|> as t',
    '@{a=1}',
    '@@x',
    '@x',
    '?',
    ';',
    ',',
    '(',
    ')',
    '[',
    ']',
    '.',
    '*',
    '->',
    '=>',
    '<',
    '>',
  ],
  ...[
    'if',
    'left',
    'collate',
    'at time zone',
    'format',
    'having max',
    'ignore nulls',
    'asc',
    'desc',
    'rollup',
    'grouping sets',
    'by name',
  ],
  ...[
    'corresponding',
    'strict',
    'full',
    'outer',
    'inner',
    'hash',
    'lookup',
    'any',
    'some',
    'like',
    'is',
    'true',
    'to',
    'of',
    'escape',
  ],
];

/** Texts that lexers read in different ways, to be stuck in anywhere. */
const TRAPS = [
  ..."' \" ` ''' \"\"\" \\ -- # /* */ r' b\" rb''' \\' \\\\ ; @ . 1e .5".split(' '),
  ...[
    '\n',
    '\r',
    '\u00a0',
    '\u2028',
    '\u200b',
    '\ufeff',
    '/**/',
    '/*/*/',
    '/*--*/',
    '--\r',
    "r'\\'",
    'é',
    '\u212a',
    '\u0130',
    '\u0000',
  ],
];

export function mutate(text: string, seeds: readonly string[], random: Random): string {
  let mutated = text;
  for (let rounds = random.chance(0.7) ? 1 : 2 + random.below(2); rounds > 0; rounds--)
    mutated = random.pick(MUTATIONS)(mutated, seeds, random);
  return mutated.toWellFormed().slice(0, 4000);
}

/** Other white space and comments between the same tokens: the query stays what it is. */
export function reblank(text: string, random: Random): string {
  return split(text)
    .map((piece) => (/^\s+$/.test(piece) && !text.includes('--') ? plainBlank(random) : piece))
    .join('');
}

type Mutation = (text: string, seeds: readonly string[], random: Random) => string;

const MUTATIONS: readonly Mutation[] = [
  onPieces((pieces, random) => pieces.splice(random.below(pieces.length), 1 + random.below(3))),
  onPieces((pieces, random) => {
    const at = random.below(pieces.length);
    pieces.splice(at, 0, ...pieces.slice(at, at + 1 + random.below(5)));
  }),
  onPieces((pieces, random) => {
    const [a, b] = [random.below(pieces.length), random.below(pieces.length)];
    const moved = pieces[a] ?? '';
    pieces[a] = pieces[b] ?? '';
    pieces[b] = moved;
  }),
  onPieces((pieces, random) => pieces.splice(random.below(pieces.length + 1), 0, ` ${random.pick(WORDS)} `)),
  onPieces((pieces, random) => pieces.splice(random.below(pieces.length), 1, random.pick(WORDS))),
  onPieces((pieces, random) => pieces.splice(random.below(pieces.length + 1), 0, blank(random))),
  onPieces((pieces, random) => pieces.splice(random.below(pieces.length + 1), 0, lexeme(random))),
  (text, _, random) => {
    const at = random.below(text.length + 1);
    return text.slice(0, at) + random.pick(TRAPS) + text.slice(at);
  },
  (text, seeds, random) => {
    const other = split(random.pick(seeds));
    const from = random.below(other.length);
    const part = other.slice(from, from + 1 + random.below(12)).join('');
    const pieces = split(text);
    pieces.splice(random.below(pieces.length + 1), random.below(4), part);
    return pieces.join('');
  },
  (text, seeds, random) => {
    const names = split(text).filter((piece) => /^\w+$/.test(piece));
    const replaced = names.length === 0 ? 'x' : random.pick(names);
    const by = random.pick([
      `(${random.pick(seeds)})`,
      `\`${replaced}\``,
      `${replaced}.${replaced}`,
      random.pick(WORDS),
    ]);
    const at = text.indexOf(replaced);
    return at < 0 ? text : text.slice(0, at) + by + text.slice(at + replaced.length);
  },
];

function onPieces(change: (pieces: string[], random: Random) => unknown): Mutation {
  return (text, _, random) => {
    const pieces = split(text);
    change(pieces, random);
    return pieces.join('');
  };
}

/** A text in pieces that joined are the text again. */
export function split(text: string): string[] {
  return text.match(PIECE) ?? [''];
}

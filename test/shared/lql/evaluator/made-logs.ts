import { isoOf } from './iso.ts';
import { type Fields, SCHEMAS } from './schema.ts';

const COUNT = 260;

/** The columns of the made events: every type at every depth. */
export const MADE_SCHEMA: Fields = {
  ...SCHEMAS.edge_logs,
  metadata: {
    kind: 'record',
    fields: {
      host: { kind: 'scalar', type: 'STRING' },
      size: { kind: 'scalar', type: 'INT64' },
      load: { kind: 'scalar', type: 'FLOAT64' },
      ok: { kind: 'scalar', type: 'BOOL' },
      words: { kind: 'list', element: 'STRING' },
      pools: {
        kind: 'record',
        fields: {
          name: { kind: 'scalar', type: 'STRING' },
          clients: { kind: 'scalar', type: 'INT64' },
          ports: { kind: 'list', element: 'INT64' },
          servers: {
            kind: 'record',
            fields: {
              state: { kind: 'scalar', type: 'STRING' },
              wait: { kind: 'scalar', type: 'FLOAT64' },
              ready: { kind: 'scalar', type: 'BOOL' },
            },
          },
        },
      },
    },
  },
};

const WORDS = [
  'idle',
  'active',
  'Idle',
  'idle ',
  '',
  'é',
  'e\u0301',
  '\uFFFD',
  '\u{1F600}',
  'a"b',
  'a\\b',
  '99',
  '121',
  'NULL',
];

/**
 * More events than an answer holds, many at the same time, with any number of elements in their records, as lines of
 * JSON. They are always the same.
 */
export function madeLines(project: string): readonly string[] {
  const choose = makeChoice();
  const maybe = <T>(value: () => T) => (choose(5) === 0 ? null : value());
  const some = <T>(most: number, value: () => T) => Array.from({ length: choose(most + 1) }, value);
  const word = () => WORDS[choose(WORDS.length)] ?? '';
  const server = () => ({
    state: maybe(word),
    wait: maybe(() => choose(40) / 8),
    ...(choose(3) === 0 ? {} : { ready: maybe(() => choose(2) === 0) }),
  });
  const pool = () => ({
    name: maybe(word),
    clients: maybe(() => choose(9) - 4),
    ports: some(3, () => 5430 + choose(4)),
    ...(choose(4) === 0 ? {} : { servers: some(3, server) }),
  });
  const metadata = () => ({
    host: maybe(word),
    size: maybe(() => choose(2000) - 1000),
    load: maybe(() => choose(100) / 16),
    ok: maybe(() => choose(2) === 0),
    words: some(3, word),
    ...(choose(4) === 0 ? {} : { pools: some(3, pool) }),
  });
  const start = BigInt(Date.parse('2024-02-28T22:00:00Z')) * 1000n;
  return Array.from({ length: COUNT }, (_, index) => {
    const at = start + BigInt(choose(150)) * 61_000_000n + BigInt(choose(2) * 999_999);
    const event = {
      id: `made-${index}`,
      timestamp: isoOf(at),
      event_message: maybe(() => `${word()} ${word()}\n${word()}`),
      project,
      metadata: some(2, metadata),
    };
    return JSON.stringify(event);
  });
}

/** Numbers below a bound that look random and are the same every time. */
function makeChoice(): (bound: number) => number {
  let state = 20240229;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

import type { Random } from './random.ts';

/**
 * Queries whose point is which name means what: few columns, all of which every source has, and few names for
 * sources, CTEs and aliases, so that they shadow and miss one another. Many resolve, many do not by a hair.
 */
export function scopedQuery(random: Random): string {
  return new Scopes(random).query(3, []);
}

const SOURCES = ['edge_logs', 'auth_logs', 'EDGE_LOGS', '`edge_logs`', 'function_logs'];
const CTES = [
  ...[
    'a',
    'b',
    'c',
    'd',
    'A',
    '`a`',
    'logs',
    'm',
    't',
    'secret',
    'metadata',
    'edge',
    'x1',
    'x2',
    'x3',
    'x4',
    'e',
    'id',
  ],
  ...[
    'a',
    'b',
    'c',
    'd',
    'logs',
    'm',
    't',
    'secret',
    'metadata',
    'edge',
    'x1',
    'x2',
    'x3',
    'x4',
    'e',
    'id',
    'edge_logs',
  ],
];
const ALIASES = [
  'a',
  'b',
  'm',
  't',
  'edge_logs',
  'auth_logs',
  'metadata',
  'logs',
  'secret',
  'e',
  '`e`',
  'E',
  'id',
];
const STRANGERS = [
  'secret.t',
  'logs.edge_logs',
  'secret',
  'information_schema.tables',
  't.metadata',
  'x',
  '`logs`.`edge_logs`',
  'edge_logs.metadata',
];
const COLUMNS = ['id', 'timestamp', 'event_message', 'metadata'];

class Scopes {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** `ctes` are the names that WITHs around the query define. */
  query(depth: number, ctes: readonly string[]): string {
    const random = this.#random;
    const own: string[] = [];
    let text = '';
    if (random.chance(depth === 3 ? 0.5 : 0.25)) {
      const isRecursive = depth === 3 && random.chance(0.3);
      // The names of the CTEs to come, which those of a recursive WITH may read.
      const later = isRecursive ? random.several(1, 3, () => random.pick(CTES)) : [];
      const entries = random.several(1, 3, () => {
        const name = random.chance(0.01) ? 'edge_logs' : (later.pop() ?? random.pick(CTES));
        const known = [...ctes, ...own, ...later];
        const first = depth > 0 ? this.query(depth - 1, known) : `select * from ${this.#table(known)}`;
        const step = isRecursive && random.chance(0.4) ? this.#step(first, name, known) : first;
        own.push(name);
        return `${name} as (${step})`;
      });
      text = `with ${isRecursive ? 'recursive ' : ''}${entries.join(', ')} `;
    }
    const inside = [...ctes, ...own];
    const body = random.chance(0.1)
      ? `(${this.#select(depth, inside)}) ${random.pick(['union all', 'except distinct'])} ${random.chance(0.5) ? `(${this.query(Math.max(0, depth - 1), inside)})` : this.#select(depth, inside)}`
      : random.chance(0.06)
        ? `from ${this.#from(depth, inside).text} ${this.#pipe(depth, inside)}`
        : this.#select(depth, inside);
    return `${text}${body}${random.chance(0.1) ? ' limit 5' : ''}`;
  }

  /** A recursive term after a query: it reads its CTE once mostly, and in most places. */
  #step(first: string, name: string, ctes: readonly string[]): string {
    const random = this.#random;
    const read = random.pick([
      `select * from ${name}`,
      `select * from ${name} where false`,
      `select l.* from ${name} l join ${this.#table(ctes)} on true`,
      `select l.* from (select * from ${name}) l`,
      `(with ${random.pick(CTES)} as (select * from ${this.#table(ctes)}) select * from ${name})`,
      `select * from ${this.#table(ctes)} where id in (select id from ${name})`,
      `select * from ${this.#table([...ctes, name])}`,
    ]);
    return `(${first}) union ${random.pick(['all', 'all', 'distinct'])} ${read}`;
  }

  #pipe(depth: number, ctes: readonly string[]): string {
    const random = this.#random;
    const item = this.#item(depth, ctes, []).text;
    return random.pick([
      '|> select *',
      '|> where true',
      `|> as ${random.pick(ALIASES)}`,
      `|> join ${item} on true`,
      '|> select 1 as x',
    ]);
  }

  #select(depth: number, ctes: readonly string[]): string {
    const random = this.#random;
    const { text, aliases } = this.#from(depth, ctes);
    const conditions = [
      'true',
      `exists (${this.#sub(depth, ctes, aliases)})`,
      '1 in (select 1)',
      'current_date() is null',
    ];
    const where = random.chance(0.3) ? ` where ${random.pick(conditions)}` : '';
    return `select ${this.#items(depth, ctes, aliases)} from ${text}${where}`;
  }

  #sub(depth: number, ctes: readonly string[], aliases: readonly string[]): string {
    const random = this.#random;
    if (aliases.length > 0 && random.chance(0.4))
      return `select 1 as x from ${random.pick(aliases)}.metadata${random.chance(0.3) ? `, ${this.#table(ctes)}` : ''}`;
    if (random.chance(0.3)) return `select count(*) as n from (${this.query(Math.max(0, depth - 1), ctes)})`;
    return `select 1 as x from ${this.#table(ctes)}`;
  }

  #items(depth: number, ctes: readonly string[], aliases: readonly string[]): string {
    const random = this.#random;
    const roll = random.next();
    if (roll < 0.25) return '*';
    if (roll < 0.45) return '1 as x';
    if (roll < 0.55) return `${random.pick(aliases.length > 0 && random.chance(0.8) ? aliases : ALIASES)}.*`;
    if (roll < 0.75) return `array(${this.#sub(depth, ctes, aliases)}) as q`;
    if (roll < 0.85) return 'count(*) as n';
    const start = random.pick([...aliases, ...aliases, ...aliases, ...ALIASES]);
    return `${random.chance(0.7) ? `${start}.` : ''}${random.pick(COLUMNS)}${random.chance(0.3) ? ` as ${random.pick(ALIASES)}` : ''}`;
  }

  /** A FROM clause, and the aliases in it that are rows of a source or may be. */
  #from(depth: number, ctes: readonly string[]): { text: string; aliases: string[] } {
    const random = this.#random;
    const first = this.#item(depth, ctes, []);
    const aliases = [...first.aliases];
    let text = first.text;
    for (const kind of random.several(0, 2, () => random.next())) {
      const start = random.pick(aliases.length > 0 && random.chance(0.85) ? aliases : ALIASES);
      const alias = this.#newAlias(aliases);
      if (kind < 0.3) text += `, ${start}.metadata${random.pick([` as ${alias}`, ` ${alias}`])}`;
      else if (kind < 0.5) text += ` cross join unnest(${start}.metadata) as ${alias}`;
      else if (kind < 0.6)
        text += ` left join unnest(array(${this.#sub(Math.min(depth, 1), ctes, aliases)})) ${alias} on true`;
      else {
        const item = this.#item(depth, ctes, aliases);
        aliases.push(...item.aliases);
        const inner = this.#item(depth, ctes, aliases);
        if (kind < 0.7) aliases.push(...inner.aliases);
        text +=
          kind < 0.7
            ? ` cross join (${item.text} join ${inner.text} on true)`
            : random.pick([
                `, ${item.text}`,
                ` join ${item.text} on true`,
                ` left join ${item.text} on false`,
              ]);
      }
    }
    return { text, aliases };
  }

  #item(
    depth: number,
    ctes: readonly string[],
    taken: readonly string[],
  ): { text: string; aliases: string[] } {
    const random = this.#random;
    const alias = this.#newAlias(taken);
    const written = random.pick([` ${alias}`, ` as ${alias}`]);
    if (depth > 0 && random.chance(0.25))
      return random.chance(0.8)
        ? { text: `(${this.query(depth - 1, ctes)})${written}`, aliases: [alias] }
        : { text: `(${this.query(depth - 1, ctes)})`, aliases: [] };
    const table = this.#table(ctes);
    return random.chance(0.75)
      ? { text: table + written, aliases: [alias] }
      : { text: table, aliases: [table] };
  }

  /** Mostly one that the FROM clause does not have yet. */
  #newAlias(taken: readonly string[]): string {
    const random = this.#random;
    const free = ALIASES.filter((alias) => !taken.includes(alias));
    return random.pick(free.length > 0 && random.chance(0.97) ? free : ALIASES);
  }

  #table(ctes: readonly string[]): string {
    const random = this.#random;
    if (ctes.length > 0 && random.chance(0.5)) return random.pick(ctes);
    if (random.chance(0.02)) return random.pick([...STRANGERS, ...CTES]);
    return random.pick(SOURCES);
  }
}

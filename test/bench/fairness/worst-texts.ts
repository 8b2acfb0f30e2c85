/**
 * Queries that cost most for what they say; `n` makes each another one. Some are refused, some are cheap once they are
 * known: whoever attacks tries all of them.
 */
const WORST: readonly ((n: number) => string)[] = [
  (n) => `select length(initcap(repeat('a ', ${200_000 + n})))`,
  (n) => `select length(format('%${1_000_000_000 - n}d', 5))`,
  (n) => `select instr(repeat('a', ${1_000_000 - n}), 'zz', -1)`,
  (n) => `select instr(repeat('a', ${1_000_000 - n}), 'a', 1, 100000)`,
  (n) => `select repeat('a', ${1_000_000 - n}) like '%_%_%_%_%_%z'`,
  (n) => `select edit_distance(repeat('ab', ${200_000 - n}), repeat('ba', 190000))`,
  (n) =>
    `select countif(x in unnest(generate_array(1, 1000))) + ${n} from unnest(generate_array(1, 1000000)) as x`,
  (n) => `select max(array_length(a)) + ${n} from (
    select array_agg(x) over (order by x) as a from unnest(generate_array(1, 20000)) as x)`,
  (n) => `select array_length(generate_date_array('0001-01-01', '9999-12-31')) + ${n}`,
  (n) =>
    `select array_length(generate_timestamp_array('2026-01-01', '2027-01-01', interval 1 second)) + ${n}`,
  (n) => `select count(*) from unnest(generate_array(1, 1000000)) a, unnest(generate_array(1, 1000000)) b,
    unnest(generate_array(1, 1000000)) c where mod(a * b + c, 7) = 8 + ${n}`,
  (n) => `select length(regexp_replace(repeat('a', ${100_000 - n}), '.', repeat('b', 1000)))`,
];

/** The text of an attacker's n-th request. */
export function worstText(n: number): string {
  const make = WORST[n % WORST.length];
  if (make === undefined) throw new RangeError(`no text ${n}`);
  return make(Math.floor(n / WORST.length));
}

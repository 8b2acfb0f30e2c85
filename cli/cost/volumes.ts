import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { printable } from '../../shared/runtime/printable.ts';
import type { Arguments } from '../arguments/parse-arguments.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { VOLUME_NUMBERS, type VolumeName } from '../commands/cost-volumes.ts';
import type { Deployment, PartitionBy } from './deployment.ts';

/** Parameter sets that are kept warm. */
export interface WarmSets {
  readonly endpoint: Endpoint;
  /** The value that decides how far back the endpoint reads; null where none does. */
  readonly value: string | null;
  readonly count: number;
}

/** How logs are written. */
export type Ingest = 'load' | 'write-api' | 'pubsub';

/** The volumes that a month's costs are computed from. */
export interface Volumes extends Readonly<Record<VolumeName, number>> {
  readonly partitionBy: PartitionBy;
  readonly ingest: Ingest;
  /** Whether hours that are over are kept, so that a refresh reads the edges of its window alone. */
  readonly isSealed: boolean;
  /** Calls of stored queries in a month, by the endpoint's name. */
  readonly calls: ReadonlyMap<string, number>;
  readonly sets: readonly WarmSets[];
  /** Percent of the logs' bytes, by source, where it is said. */
  readonly shares: ReadonlyMap<string, number>;
}

const MAX_COUNT = 1e12;

/** Calls of each endpoint, unless said otherwise. */
const CALLS = 1_000_000;
/** Sets that are kept warm, unless said otherwise. */
const SETS = 10;

/** What the volumes are read against. */
export interface VolumeContext {
  readonly endpoints: readonly Endpoint[];
  readonly sources: readonly string[];
  readonly deployment: Deployment;
}

/** Reads the volumes. Throws a UsageError that names the option and what it takes. */
export function readVolumes(given: Arguments, { endpoints, sources, deployment }: VolumeContext): Volumes {
  const numbers = Object.fromEntries(
    Object.entries(VOLUME_NUMBERS).map(([name, volume]) => {
      const { fallback } = volume;
      const otherwise = typeof fallback === 'number' ? fallback : deployment[fallback];
      return [name, numberOf(volume.flag, given.text(volume.flag), volume, otherwise)];
    }),
  ) as Record<VolumeName, number>;
  const partitionBy = (given.text('--partition-by') ?? deployment.partitionBy) as PartitionBy;
  if (partitionBy === 'HOUR' && numbers.retentionDays > MAX_HOURLY_DAYS) {
    const hint = 'a table has at most 10,000 partitions; use --partition-by DAY for more';
    throw new UsageError(
      `--retention-days takes at most ${MAX_HOURLY_DAYS} with partitions by hour: ${hint}.`,
    );
  }
  return {
    ...numbers,
    partitionBy,
    ingest: (given.text('--ingest') ?? 'load') as Ingest,
    isSealed: given.text('--sealed') !== 'off',
    calls: readCalls(given.texts('--calls'), endpoints),
    sets: readSets(given.texts('--sets'), endpoints),
    shares: readShares(given.texts('--share'), sources),
  };
}

/** BigQuery allows a table 10,000 partitions. */
const MAX_HOURLY_DAYS = Math.floor(10_000 / 24);

function readCalls(texts: readonly string[], endpoints: readonly Endpoint[]): ReadonlyMap<string, number> {
  const calls = new Map(endpoints.map(({ name }) => [name, CALLS]));
  const names = endpoints.map(({ name }) => name);
  const said = texts.map((text) =>
    namedNumber('--calls', text, 'ENDPOINT', names, { min: 0, max: MAX_COUNT }),
  );
  return new Map([...calls, ...onceEach('--calls', said)]);
}

function readShares(texts: readonly string[], sources: readonly string[]): ReadonlyMap<string, number> {
  const said = texts.map((text) => namedNumber('--share', text, 'SOURCE', sources, { min: 0, max: 100 }));
  const shares = new Map(onceEach('--share', said));
  const sum = [...shares.values()].reduce((total, share) => total + share, 0);
  if (sum > 100) throw new UsageError(`--share takes percents that make at most 100 together, not ${sum}.`);
  return shares;
}

function readSets(texts: readonly string[], endpoints: readonly Endpoint[]): readonly WarmSets[] {
  const warmed = endpoints.filter(({ warmEverySeconds }) => warmEverySeconds !== null);
  const kinds = warmed.flatMap((endpoint): SetKind[] => {
    const values = Object.entries(endpoint.lookback?.seconds ?? {}).toSorted(([, a], [, b]) => b - a);
    return values.length === 0
      ? [{ endpoint, value: null, name: endpoint.name }]
      : values.map(([value]) => ({ endpoint, value, name: value }));
  });
  const [widest] = kinds;
  if (widest === undefined) {
    if (texts.length > 0) throw new UsageError('--sets takes nothing here: no endpoint is kept warm.');
    return [];
  }
  const names = kinds.map(({ name }) => name);
  const said = texts.map((text) =>
    namedNumber('--sets', text.includes('=') ? text : `${widest.name}=${text}`, 'KIND', names, {
      min: 0,
      max: 1_000_000,
    }),
  );
  const counts = new Map(said.length === 0 ? [[widest.name, SETS] as const] : onceEach('--sets', said));
  return kinds.flatMap(({ endpoint, value, name }) => {
    const count = counts.get(name) ?? 0;
    return count === 0 ? [] : [{ endpoint, value, count }];
  });
}

/** What sets of an endpoint read, by the word that `--sets` has for it. */
interface SetKind extends Pick<WarmSets, 'endpoint' | 'value'> {
  readonly name: string;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

function namedNumber(
  flag: string,
  text: string,
  what: string,
  names: readonly string[],
  range: Range,
): readonly [string, number] {
  const at = text.lastIndexOf('=');
  const name = text.slice(0, Math.max(0, at));
  if (!names.includes(name)) {
    throw new UsageError(`${flag} takes ${what}=N with one of ${names.join(', ')}, not ${printable(text)}.`);
  }
  return [name, numberOf(`${flag} ${name}=`, text.slice(at + 1), range, 0)];
}

function onceEach(
  flag: string,
  said: readonly (readonly [string, number])[],
): readonly (readonly [string, number])[] {
  const twice = said.find(([name], index) => said.findIndex(([other]) => other === name) < index);
  if (twice !== undefined) throw new UsageError(`Give ${flag} ${twice[0]} once.`);
  return said;
}

function numberOf(flag: string, text: string | undefined, { min, max }: Range, otherwise: number): number {
  if (text === undefined) return otherwise;
  const value = /^\d{1,13}(\.\d{1,12})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`${flag} takes a number from ${min} to ${max}, not ${printable(text)}.`);
}

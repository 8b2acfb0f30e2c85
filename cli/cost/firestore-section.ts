import { callsOf, publicFunctions, refreshesOf } from './counts.ts';
import { FIRESTORE_OPERATIONS, type FirestoreOperations } from './firestore-operations.ts';
import {
  type CostModel,
  type CostSection,
  formatCount,
  GIB,
  KIB,
  MONTH_SECONDS,
  rowOf,
  sumOf,
} from './model.ts';

/** Something that happens in Firestore, so often a month. */
interface Event extends FirestoreOperations {
  readonly name: string;
  readonly times: number;
}

const MINUTES = MONTH_SECONDS / 60;

/** What calls and rounds of warming do in Firestore. */
export function firestoreSection(model: CostModel): CostSection {
  const events = firestoreEvents(model);
  const row = (
    kind: keyof FirestoreOperations,
    price: 'firestore-read' | 'firestore-write' | 'firestore-delete',
  ) => {
    const terms = events.filter((event) => event[kind] > 0 && event.times > 0);
    const amount = sumOf(terms.map((event) => event.times * event[kind]));
    const from = terms
      .map(
        (event) =>
          `${formatCount(event.times)} ${event.name}${event[kind] === 1 ? '' : ` × ${formatCount(event[kind])}`}`,
      )
      .join(' + ');
    return rowOf(model, `Firestore, ${kind}`, price, {
      amount,
      from: terms.length > 1 ? `(${from})` : from || '0',
    });
  };
  const { sets, answerKib } = model.volumes;
  const answers = sumOf(sets.map(({ count }) => count));
  return {
    title: 'Firestore',
    rows: [
      row('reads', 'firestore-read'),
      row('writes', 'firestore-write'),
      row('deletes', 'firestore-delete'),
      rowOf(model, 'Firestore, storage', 'firestore-storage', {
        amount: (answers * answerKib * KIB) / GIB,
        from: `${formatCount(answers)} answers × ${answerKib} KiB`,
      }),
    ],
  };
}

/** What of a month's calls and rounds reaches Firestore. */
function firestoreEvents(model: CostModel): readonly Event[] {
  const { volumes, endpoints } = model;
  const instances = busyInstances(model);
  const cached = endpoints.filter(({ cacheTtlSeconds }) => cacheTtlSeconds > 0);
  const cachedCalls = sumOf(cached.map(({ name }) => volumes.calls.get(name) ?? 0));
  const misses = (cachedCalls * volumes.missPercent) / 100;
  const warmed = endpoints.filter(({ warmEverySeconds }) => warmEverySeconds !== null);
  const setCount = sumOf(volumes.sets.map(({ count }) => count));
  const refreshes = sumOf(volumes.sets.map((sets) => refreshesOf(model, sets)));
  const rounds = sumOf(
    warmed.map(({ warmEverySeconds }) => MONTH_SECONDS / (warmEverySeconds ?? MONTH_SECONDS)),
  );
  const lookups = volumes.tokens * instances * publicFunctions(model) * MINUTES;
  const notes = setCount * instances * volumes.warmHours * 60;
  const hours = volumes.isSealed ? setCount * volumes.warmHours : 0;
  return [
    { name: 'token lookups', times: Math.min(callsOf(model), lookups), ...FIRESTORE_OPERATIONS.tokenLookup },
    { name: 'misses', times: misses, ...FIRESTORE_OPERATIONS.miss },
    {
      name: 'looks for newer answers',
      times: Math.min(cachedCalls, refreshes * instances),
      ...FIRESTORE_OPERATIONS.sharedHit,
    },
    { name: 'refreshes', times: refreshes, ...FIRESTORE_OPERATIONS.refresh },
    { name: 'sets that go to the end of the line', times: refreshes, ...FIRESTORE_OPERATIONS.served },
    { name: 'kept hours', times: hours, ...FIRESTORE_OPERATIONS.sealedHour },
    {
      name: 'rounds',
      times: rounds,
      ...FIRESTORE_OPERATIONS.round,
      reads: FIRESTORE_OPERATIONS.round.reads + Math.max(1, setCount),
    },
    { name: 'demand notes', times: Math.min(cachedCalls, notes), ...FIRESTORE_OPERATIONS.demandNote },
    // The TTL policy deletes what a miss has written once it expires.
    { name: 'expired answers', times: misses, reads: 0, writes: 0, deletes: 1 },
  ];
}

/** Instances of a function that calls keep busy, one at least. */
function busyInstances(model: CostModel): number {
  const { volumes } = model;
  return Math.max(1, Math.ceil((callsOf(model) * volumes.callSeconds) / volumes.atOnce / MONTH_SECONDS));
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { LogSink } from '../ingest/log-sink.ts';
import { DEMO_SOURCES, newDemoEntries, type TimedEntry } from './demo-entries.ts';

/** Demo logs that go on: where new entries go, from when on, and until when. */
export interface MovingDemo {
  readonly sink: LogSink;
  /** The sources that the sink has. */
  readonly sources: Iterable<string>;
  /** Up to when there are demo entries already, in microseconds since the epoch. */
  readonly since: bigint;
  nowMicros(): bigint;
  readonly signal: AbortSignal;
  /** Receives why entries could not be added; the demo stands still then. */
  readonly onFailure: (error: unknown) => void;
  readonly intervalMs?: number;
}

const INTERVAL_MS = 1_000;
/** So much is made ahead at once: making entries costs more than adding them. */
const AHEAD_MICROS = 60_000_000n;

/** Adds demo entries as their time comes, every second, until the signal is aborted. Never throws. */
export async function moveDemo(demo: MovingDemo): Promise<void> {
  const { sink, nowMicros, signal, intervalMs = INTERVAL_MS } = demo;
  const sources = [...demo.sources].filter((source) => DEMO_SOURCES.includes(source));
  const waiting = new Map<string, TimedEntry[]>(sources.map((source) => [source, []]));
  let madeUpTo = demo.since;

  const makeAhead = (now: bigint) => {
    if (now < madeUpTo) return;
    // After a pause of the machine the demo goes on from now: what it missed would be many entries at once.
    const after = now - madeUpTo > AHEAD_MICROS ? now - AHEAD_MICROS : madeUpTo;
    madeUpTo = now + AHEAD_MICROS;
    for (const [source, entries] of waiting) entries.push(...newDemoEntries(source, after, madeUpTo));
  };

  try {
    while (!signal.aborted) {
      const now = nowMicros();
      makeAhead(now);
      for (const [source, entries] of waiting) {
        const due = entries.findIndex(({ micros }) => micros > now);
        const lines = entries.splice(0, due === -1 ? entries.length : due).map(({ line }) => line);
        if (lines.length > 0) await sink.append(source, lines);
      }
      await sleep(intervalMs, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) demo.onFailure(error);
  }
}

import { createHash } from 'node:crypto';
import type { DocumentReference } from '@google-cloud/firestore';
import * as z from 'zod';
import type { Clock } from '../../concurrency/clock.ts';
import { within } from '../../concurrency/within.ts';
import { ServiceError } from '../../errors/service-error.ts';
import type { Warn } from '../../errors/warn.ts';
import type { OpenDatabase } from '../../firestore/firestore-connection.ts';
import { type DemandLog, IDLE_MS, type ParameterSet, setKey } from '../demand-log.ts';

export const DEMAND_COLLECTION = 'lqe_asked';

/** Written into the names of documents: those of another form are not found, and expire. */
const FORM = 2;
/** A round of warming waits no longer for the sets; the client alone would try for minutes. */
const READ_DEADLINE_MS = 10_000;
/** Nor for a set to be put at the end of the line. */
const SERVED_DEADLINE_MS = 5_000;
/** How long a set that no caller asks for is kept, for a TTL policy to delete. */
const KEPT_MS = 24 * 60 * 60 * 1000;
/** Waiting sets are counted up to this number; Firestore bills one read for a thousand. */
const MAX_COUNTED = 1_000_000;
/** How many of a token's sets beyond their number are found at once, where the number was lowered. */
const EXCESS = 16;
/** Tokens with many instances that note new sets at the same time get in each other's way. */
const NOTE_ATTEMPTS = 3;
/** google.rpc.Code, as the client's errors carry it. */
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;

const demandDocument = z.object({
  endpoint: z.string(),
  parameters: z.record(z.string(), z.string()),
  redacted: z.boolean(),
});

export interface FirestoreDemandLogDeps {
  readonly open: () => Promise<OpenDatabase>;
  readonly clock: Clock;
  readonly warn: Warn;
  /** Most sets that one token keeps. */
  readonly setsPerToken: number;
}

/** The demand log in Firestore, which all instances share. */
export interface FirestoreDemandLog extends Pick<DemandLog, 'waiting' | 'served'> {
  /** Writes a set down; answers whether it is kept. Throws what the client throws. */
  write(set: ParameterSet, owner: string): Promise<boolean>;
}

/**
 * Makes the demand log of all instances, one document a set. A set that is there already costs a small
 * write; a new one a transaction that reads the sets of its token, so that instances that note sets at the same time keep
 * to their number together. How long ago a set was asked for is measured by Firestore's clock.
 */
export function firestoreDemandLog(deps: FirestoreDemandLogDeps): FirestoreDemandLog {
  const { open, clock, warn, setsPerToken } = deps;

  const documentOf = ({ database }: OpenDatabase, set: ParameterSet): DocumentReference =>
    database.collection(DEMAND_COLLECTION).doc(
      createHash('sha256')
        .update(`${FORM} ${setKey(set)}`)
        .digest('hex'),
    );

  const noted = ({ timestamps, fieldValues }: OpenDatabase) => ({
    askedAt: fieldValues.serverTimestamp(),
    expiresAt: timestamps.fromMillis(clock.wallMs() + KEPT_MS),
  });

  /** Makes the document of a set, where its token has room for it or a set that is no longer used; answers whether it had. */
  function make(opened: OpenDatabase, document: DocumentReference, set: ParameterSet, owner: string) {
    const sets = opened.database.collection(DEMAND_COLLECTION);
    const oldestFirst = sets.where('owner', '==', owner).orderBy('askedAt');
    return opened.database.runTransaction(
      async (transaction) => {
        const own = await transaction.get(oldestFirst.limit(setsPerToken + EXCESS).select('askedAt'));
        const idleSinceMs = own.readTime.toMillis() - IDLE_MS;
        const excess = own.docs.slice(0, Math.max(0, own.size - setsPerToken + 1));
        const idle = excess.filter((one) => one.get('askedAt').toMillis() <= idleSinceMs);
        for (const { ref } of idle) transaction.delete(ref);
        if (idle.length < excess.length) return false;
        transaction.create(document, {
          owner,
          endpoint: set.endpointId,
          parameters: set.parameters,
          redacted: set.isRedacted,
          ...noted(opened),
          waitingSince: opened.fieldValues.serverTimestamp(),
        });
        return true;
      },
      { maxAttempts: NOTE_ATTEMPTS },
    );
  }

  async function read(endpointId: string, windowSeconds: number, max: number) {
    const { database, timestamps } = await open();
    const sets = database.collection(DEMAND_COLLECTION);
    // The clocks of instances disagree. This document is never written: what counts is the time of the read.
    const { readTime } = await sets.doc('the time').get();
    const since = timestamps.fromMillis(readTime.toMillis() - windowSeconds * 1000);
    const line = sets
      .where('endpoint', '==', endpointId)
      .where('askedAt', '>', since)
      .orderBy('waitingSince');
    const { docs, size } = await line.limit(max).select('endpoint', 'parameters', 'redacted').get();
    const total = size < max ? size : (await line.limit(MAX_COUNTED).count().get()).data().count;
    return { docs, total };
  }

  return {
    async write(set, owner) {
      const opened = await open();
      const document = documentOf(opened, set);
      if (await unless(NOT_FOUND, () => document.update(noted(opened)))) return true;
      const made = await unless(ALREADY_EXISTS, () => make(opened, document, set, owner));
      return made === null || made;
    },

    async waiting(endpointId, windowSeconds, max) {
      try {
        const { docs, total } = await within(clock, READ_DEADLINE_MS, () =>
          read(endpointId, windowSeconds, max),
        );
        const sets = docs.flatMap((document): ParameterSet[] => {
          const parsed = demandDocument.safeParse(document.data());
          if (!parsed.success) return [];
          const { endpoint, parameters, redacted: isRedacted } = parsed.data;
          return [{ endpointId: endpoint, parameters, isRedacted }];
        });
        return { sets, total: Math.max(0, total - docs.length + sets.length) };
      } catch (cause) {
        throw new ServiceError('unavailable', 'What is asked for cannot be read at the moment.', { cause });
      }
    },

    async served(set) {
      const write = async () => {
        const opened = await open();
        const fields = { waitingSince: opened.fieldValues.serverTimestamp() };
        await unless(NOT_FOUND, () => documentOf(opened, set).update(fields));
      };
      await within(clock, SERVED_DEADLINE_MS, write).catch((error: unknown) =>
        warn('A set could not be put at the end of the line; it is warmed early again', { error }),
      );
    },
  };
}

/** What a call answers; null where it fails with that code. */
async function unless<T>(code: number, call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === code) return null;
    throw error;
  }
}

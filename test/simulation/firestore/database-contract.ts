import { randomUUID } from 'node:crypto';
import type { DocumentReference, Firestore } from '@google-cloud/firestore';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenDatabase } from '../../../shared/firestore/firestore-connection.ts';

/** Two clients of one database, which other suites may use at the same time. */
export interface ContractClients {
  readonly one: OpenDatabase;
  readonly other: OpenDatabase;
}

/** The writes that take a version. */
const CONDITIONAL = [
  [
    'update',
    (document: DocumentReference, lastUpdateTime: FirebaseFirestore.Timestamp) =>
      document.update({ a: 3 }, { lastUpdateTime }),
  ],
  [
    'delete',
    (document: DocumentReference, lastUpdateTime: FirebaseFirestore.Timestamp) =>
      document.delete({ lastUpdateTime }),
  ],
] as const;

/** The google.rpc.Code that a call fails with; 0 when it does not fail. */
function codeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 0,
    (error: unknown) => (error as { code?: unknown }).code,
  );
}

/**
 * What the service relies on Firestore for, and what the simulation therefore has to do like it: run against the simulated
 * Firestore by `npm test`, and against Google's emulator by `npm run test:emulators`.
 */
export function databaseContract(name: string, open: () => Promise<ContractClients>): void {
  let one: OpenDatabase;
  let other: OpenDatabase;
  let database: Firestore;
  let collection: string;
  beforeAll(async () => {
    ({ one, other } = await open());
    database = one.database;
    collection = `contract_${randomUUID()}`;
  });
  const newDocument = (client: OpenDatabase = one): DocumentReference =>
    client.database.collection(collection).doc(randomUUID());
  const sameFor = (client: OpenDatabase, { id }: DocumentReference) =>
    client.database.collection(collection).doc(id);

  describe(`${name}: a document`, () => {
    it('is none before it is written, read with a time all the same', async () => {
      const snapshot = await newDocument().get();
      expect([snapshot.exists, snapshot.data(), snapshot.updateTime, snapshot.get('a')]).toEqual(
        Array(4).fill(undefined).with(0, false),
      );
      expect(snapshot.readTime.toMillis()).toBeGreaterThan(0);
    });

    it('holds what was written: texts, numbers, times, bytes, maps, lists and null', async () => {
      const document = newDocument();
      const fields = {
        text: 'é\u0000',
        number: 1.5,
        time: one.timestamps.fromMillis(1_700_000_000_123),
        bytes: Buffer.from([0, 255]),
        map: { of: { more: true } },
        list: ['a', 1],
        nothing: null,
      };
      await document.set(fields);
      expect((await sameFor(other, document).get()).data()).toEqual(fields);
    });

    it('is created once', async () => {
      const document = newDocument();
      expect(await codeOf(document.create({ a: 1 }))).toBe(0);
      expect(await codeOf(sameFor(other, document).create({ a: 2 }))).toBe(6);
      expect((await document.get()).get('a')).toBe(1);
    });

    it('is created by one of many who want to at once', async () => {
      const document = newDocument();
      const codes = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          codeOf(sameFor(index % 2 ? one : other, document).create({ index })),
        ),
      );
      expect(codes.sort()).toEqual([0, ...Array(11).fill(6)]);
    });

    it('is replaced by set, merged by set with merge, maps within it too', async () => {
      const document = newDocument();
      await document.set({ a: 1, map: { x: 1 } });
      await document.set({ b: 2, map: { y: 2 } }, { merge: true });
      expect((await document.get()).data()).toEqual({ a: 1, b: 2, map: { x: 1, y: 2 } });
      await document.set({ c: 3 });
      expect((await document.get()).data()).toEqual({ c: 3 });
    });

    it('is changed field by field by update, a map as a whole, and only where it exists', async () => {
      const document = newDocument();
      expect(await codeOf(document.update({ a: 1 }))).toBe(5);
      await document.set({ a: 1, map: { x: 1 } });
      await document.update({ b: 2, map: { y: 2 } });
      expect((await document.get()).data()).toEqual({ a: 1, b: 2, map: { y: 2 } });
    });

    it('is deleted, whether it exists or not', async () => {
      const document = newDocument();
      expect(await codeOf(document.delete())).toBe(0);
      await document.set({ a: 1 });
      await document.delete();
      expect((await document.get()).exists).toBe(false);
      expect(await codeOf(document.create({ a: 2 }))).toBe(0);
    });

    it('counts up by increments that none of many writers loses, from nothing at first', async () => {
      const document = newDocument();
      await Promise.all(
        Array.from({ length: 10 }, (_, index) => {
          const client = index % 2 ? one : other;
          return sameFor(client, document).set({ count: client.fieldValues.increment(2) }, { merge: true });
        }),
      );
      expect((await document.get()).get('count')).toBe(20);
    });
  });

  describe(`${name}: times`, () => {
    it('of a write are those of the document, and the time that a server timestamp stands for', async () => {
      const document = newDocument();
      const { writeTime } = await document.set({ at: one.fieldValues.serverTimestamp() });
      const snapshot = await document.get();
      expect(snapshot.updateTime?.isEqual(writeTime)).toBe(true);
      expect(snapshot.createTime?.isEqual(writeTime)).toBe(true);
      expect(Math.abs(snapshot.get('at').toMillis() - writeTime.toMillis())).toBeLessThanOrEqual(1000);
    });

    it('of writes one after the other grow, by microseconds, and a read is not before the write that it shows', async () => {
      const document = newDocument();
      const times: number[] = [];
      for (let count = 0; count < 20; count += 1) {
        const { writeTime } = await document.set({ count });
        times.push(writeTime.seconds * 1e6 + writeTime.nanoseconds / 1000);
        const { readTime, updateTime } = await sameFor(other, document).get();
        expect(updateTime?.isEqual(writeTime)).toBe(true);
        expect(readTime.toMillis()).toBeGreaterThanOrEqual(writeTime.toMillis());
      }
      expect(times.every(Number.isInteger)).toBe(true);
      expect(times.every((time, at) => at === 0 || time > (times[at - 1] ?? 0))).toBe(true);
    });

    it('stay what they were when a write changes nothing', async () => {
      const document = newDocument();
      const { writeTime } = await document.set({ a: 1, bytes: Buffer.from('x') });
      const again = await document.set({ a: 1, bytes: Buffer.from('x') });
      expect(again.writeTime.isEqual(writeTime)).toBe(true);
      expect((await document.get()).updateTime?.isEqual(writeTime)).toBe(true);
      const changed = await document.update({ a: 2 });
      expect(changed.writeTime.isEqual(writeTime)).toBe(false);
      expect((await document.get()).createTime?.isEqual(writeTime)).toBe(true);
    });
  });

  describe(`${name}: a precondition`, () => {
    it.each(CONDITIONAL)('lets an %s through at the version that it names alone', async (_, write) => {
      const document = newDocument();
      const { writeTime: first } = await document.set({ a: 1 });
      const { writeTime: second } = await document.set({ a: 2 });
      expect(await codeOf(write(document, first))).toBe(9);
      expect((await document.get()).get('a')).toBe(2);
      expect(await codeOf(write(document, second))).toBe(0);
    });

    it.each(CONDITIONAL)('fails an %s of a document that is gone', async (_, write) => {
      const document = newDocument();
      const { writeTime } = await document.set({ a: 1 });
      await document.delete();
      expect([5, 9]).toContain(await codeOf(write(document, writeTime)));
      expect((await document.get()).exists).toBe(false);
    });

    it('lets one of many through who name the same version', async () => {
      const document = newDocument();
      const { writeTime } = await document.set({ by: -1 });
      const codes = await Promise.all(
        Array.from({ length: 8 }, (_, by) =>
          codeOf(sameFor(by % 2 ? one : other, document).update({ by }, { lastUpdateTime: writeTime })),
        ),
      );
      expect(codes.filter((code) => code === 0)).toHaveLength(1);
      expect(new Set(codes)).toEqual(new Set([0, 9]));
    });
  });

  describe(`${name}: a batch`, () => {
    it('is done as a whole, at one time', async () => {
      const [first, second] = [newDocument(), newDocument()];
      const results = await database.batch().set(first, { a: 1 }).set(second, { a: 2 }).commit();
      expect(results).toHaveLength(2);
      const [one, two] = await database.getAll(first, second);
      expect([one?.get('a'), two?.get('a')]).toEqual([1, 2]);
      expect(two?.updateTime?.isEqual(one!.updateTime!)).toBe(true);
    });

    it('is not done at all where one of its preconditions does not hold', async () => {
      const [first, second] = [newDocument(), newDocument()];
      const { writeTime } = await second.set({ a: 1 });
      await second.set({ a: 2 });
      const batch = database.batch().set(first, { a: 1 }).delete(second, { lastUpdateTime: writeTime });
      expect(await codeOf(batch.commit())).toBe(9);
      expect((await first.get()).exists).toBe(false);
      expect((await second.get()).exists).toBe(true);
    });

    it('shows its readers all of its documents, or none', async () => {
      const documents = [newDocument(), newDocument()] as const;
      const writing = (async () => {
        for (let round = 0; round < 10; round += 1) {
          const batch = database.batch();
          for (const document of documents) batch.set(document, { round });
          await batch.commit();
        }
      })();
      const others = documents.map((document) => sameFor(other, document));
      for (let count = 0; count < 10; count += 1) {
        const [first, second] = await other.database.getAll(...others);
        expect(second?.get('round')).toBe(first?.get('round'));
      }
      await writing;
    });
  });

  describe(`${name}: several documents at once`, () => {
    it('come in the order asked for, missing ones too, with the fields asked for', async () => {
      const [first, second] = [newDocument(), newDocument()];
      await second.set({ a: 1, b: 2 });
      const [none, found] = await database.getAll(first, second, { fieldMask: ['b', 'c'] });
      expect([none?.exists, none?.id, found?.id, found?.data()]).toEqual([
        false,
        first.id,
        second.id,
        { b: 2 },
      ]);
    });
  });

  describe(`${name}: a query`, () => {
    const names = ['b', 'a', 'd', 'c'];
    const rows = names.map((id, index) => ({
      id,
      group: index < 3 ? 'x' : 'y',
      rank: index % 2,
      at: 1000 * index,
    }));
    let queried: FirebaseFirestore.CollectionReference;
    beforeAll(async () => {
      queried = database.collection(`contract_${randomUUID()}`);
      for (const { id, at, ...fields } of rows) {
        await queried.doc(id).set({ ...fields, at: one.timestamps.fromMillis(at), nested: { deep: id } });
      }
      await queried.doc('bare').set({ group: 'x' });
    });
    const idsOf = async (query: FirebaseFirestore.Query) => (await query.get()).docs.map(({ id }) => id);

    it('finds the documents with a value, in the order of ids, without those that lack the field', async () => {
      expect(await idsOf(queried.where('group', '==', 'x'))).toEqual(['a', 'b', 'bare', 'd']);
      expect(await idsOf(queried.where('rank', '==', 0))).toEqual(['b', 'd']);
      expect(await idsOf(queried.where('group', '==', 'none'))).toEqual([]);
    });

    it('has an end', async () => {
      expect(await idsOf(queried.where('group', '==', 'x').limit(2))).toEqual(['a', 'b']);
      expect(await idsOf(queried.limit(3))).toHaveLength(3);
    });

    it('is ordered, ties by id, and leaves out what lacks the field', async () => {
      expect(await idsOf(queried.orderBy('at', 'desc'))).toEqual(['c', 'd', 'a', 'b']);
      expect(await idsOf(queried.orderBy('rank'))).toEqual(['b', 'd', 'a', 'c']);
      expect(await idsOf(queried.orderBy('rank', 'desc').limit(3))).toEqual(['c', 'a', 'd']);
    });

    it('keeps to bounds of time', async () => {
      const at = (ms: number) => one.timestamps.fromMillis(ms);
      expect(await idsOf(queried.where('at', '>', at(1000)))).toEqual(['d', 'c']);
      expect(await idsOf(queried.where('at', '>=', at(1000)).where('at', '<', at(3000)))).toEqual(['a', 'd']);
    });

    it('bounds one field and is ordered by another, ties by the one that is bounded', async () => {
      const after = queried.where('at', '>', one.timestamps.fromMillis(0));
      expect(await idsOf(after.orderBy('rank'))).toEqual(['d', 'a', 'c']);
      expect(await idsOf(after.where('group', '==', 'x').orderBy('rank').limit(1))).toEqual(['d']);
      expect(await idsOf(after.orderBy('rank', 'desc'))).toEqual(['c', 'a', 'd']);
    });

    it('counts what it finds, up to its limit', async () => {
      const countOf = async (query: FirebaseFirestore.Query) => (await query.count().get()).data().count;
      const found = queried.where('group', '==', 'x');
      expect(await countOf(found)).toBe(4);
      expect(await countOf(found.orderBy('at'))).toBe(3);
      expect(await countOf(found.limit(2))).toBe(2);
      expect(await countOf(queried.where('group', '==', 'none'))).toBe(0);
    });

    it('gives the requested fields, the times of each document and the time of the read', async () => {
      const snapshot = await queried.where('group', '==', 'y').select('rank', 'nested').get();
      const [found] = snapshot.docs;
      expect([snapshot.size, snapshot.empty, found?.data()]).toEqual([
        1,
        false,
        { rank: 1, nested: { deep: 'c' } },
      ]);
      const { updateTime } = await queried.doc('c').get();
      expect(found?.updateTime.isEqual(updateTime!)).toBe(true);
      expect(snapshot.readTime.toMillis()).toBeGreaterThanOrEqual(updateTime!.toMillis());
    });

    it('sees what was just written', async () => {
      const group = randomUUID();
      const document = queried.doc(randomUUID());
      await document.set({ group });
      expect(await idsOf(queried.where('group', '==', group))).toEqual([document.id]);
      await document.delete();
      expect(await idsOf(queried.where('group', '==', group))).toEqual([]);
    });
  });

  describe(`${name}: a transaction`, () => {
    it('that reads and writes one document loses nothing to others that do the same', async () => {
      const document = newDocument();
      await document.set({ count: 0 });
      await Promise.all(
        Array.from({ length: 5 }, (_, index) => {
          const client = index % 2 ? one : other;
          const own = sameFor(client, document);
          return client.database.runTransaction(
            async (transaction) => {
              const { count } = (await transaction.get(own)).data() ?? {};
              transaction.update(own, { count: Number(count) + 1 });
            },
            { maxAttempts: 20 },
          );
        }),
      );
      expect((await document.get()).get('count')).toBe(5);
    });

    it('that looks whether a value is free takes it once', async () => {
      const name = randomUUID();
      const take = (client: OpenDatabase) => {
        const all = client.database.collection(collection);
        return client.database.runTransaction(
          async (transaction) => {
            const others = await transaction.get(all.where('name', '==', name).limit(1));
            if (!others.empty) return false;
            transaction.create(all.doc(randomUUID()), { name });
            return true;
          },
          { maxAttempts: 20 },
        );
      };
      const taken = await Promise.all([one, other, one, other].map(take));
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect((await database.collection(collection).where('name', '==', name).get()).size).toBe(1);
    });

    it('never writes by what it read before another’s write', async () => {
      const document = newDocument();
      await document.set({ value: 'first' });
      let outside: Promise<unknown> = Promise.resolve();
      let attempts = 0;
      await database.runTransaction(async (transaction) => {
        attempts += 1;
        const { value } = (await transaction.get(document)).data() ?? {};
        // Where transactions lock, it waits until this one has ended; else this one is run once more.
        if (attempts === 1) outside = sameFor(other, document).set({ value: 'second' });
        await new Promise((resolve) => setTimeout(resolve, 50));
        transaction.set(document, { value: `${value} seen` });
      });
      await outside;
      const { value } = (await document.get()).data() ?? {};
      expect(attempts === 1 ? ['second'] : ['second seen']).toContain(value);
    });

    it('leaves no trace when it fails, and gives its failure', async () => {
      const document = newDocument();
      const failing = database.runTransaction(async (transaction) => {
        await transaction.get(document);
        transaction.set(document, { a: 1 });
        throw new Error('changed my mind');
      });
      await expect(failing).rejects.toThrow('changed my mind');
      expect((await document.get()).exists).toBe(false);
      expect(await codeOf(document.set({ a: 2 }))).toBe(0);
    });

    it('reads several documents at once, with the fields asked for, and writes and deletes', async () => {
      const [first, second] = [newDocument(), newDocument()];
      await first.set({ a: 1, b: 2 });
      const seen = await database.runTransaction(async (transaction) => {
        const [found, none] = await transaction.getAll(first, second, { fieldMask: ['a'] });
        transaction.delete(first);
        transaction.set(second, { a: found?.get('a') });
        return [found?.data(), none?.exists, found?.updateTime === undefined];
      });
      expect(seen).toEqual([{ a: 1 }, false, false]);
      const [gone, written] = await database.getAll(first, second);
      expect([gone?.exists, written?.data()]).toEqual([false, { a: 1 }]);
    });

    it('with a create of what exists fails as create does, without another attempt', async () => {
      const [read, taken] = [newDocument(), newDocument()];
      await taken.set({ a: 1 });
      let attempts = 0;
      const failing = database.runTransaction(async (transaction) => {
        attempts += 1;
        await transaction.get(read);
        transaction.create(taken, { a: 2 });
      });
      expect([await codeOf(failing), attempts]).toEqual([6, 1]);
    });
  });
}

import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { makeByteBudget, type Reservation } from '../../../shared/concurrency/byte-budget.ts';
import { ServiceError } from '../../../shared/errors/service-error.ts';

const CAPACITY = 100;
const MOST = 60;
const patient = { deadlineMs: 1_000_000, signal: new AbortController().signal };
const budgetOf = () =>
  makeByteBudget({ capacityBytes: CAPACITY, mostBytes: MOST, freeBytes: 1, nowMs: () => 0 });

/** Whether a promise is settled when nothing else is left to be done now. */
async function isDone(work: Promise<unknown>): Promise<boolean> {
  let done = false;
  work.then(
    () => (done = true),
    () => (done = true),
  );
  await new Promise((resolve) => setImmediate(resolve));
  return done;
}

describe('room for answers', () => {
  test('is given while there is some, and again when others give theirs back', async () => {
    const budget = budgetOf();
    const [first, second] = [budget.begin(patient), budget.begin(patient)];
    await first.grow(60);
    first.settle(60);
    await second.grow(40);
    const waiting = second.grow(41);
    expect([await isDone(waiting), budget.heldBytes]).toEqual([false, 100]);
    first.release();
    await waiting;
    expect(budget.heldBytes).toBe(41);
  });

  test('is not given to one who could keep the largest from ending', async () => {
    const budget = budgetOf();
    const [large, small] = [budget.begin(patient), budget.begin(patient)];
    await large.grow(50);
    const waiting = small.grow(41);
    expect(await isDone(waiting)).toBe(false);
    await large.grow(60);
    large.settle(2);
    await waiting;
  });

  test('is not requested by short answers', async () => {
    const budget = budgetOf();
    const full = budget.begin(patient);
    await full.grow(60);
    const others = Array.from({ length: 1000 }, () => budget.begin(patient));
    for (const other of others) await other.grow(1);
    expect(budget.heldBytes).toBe(60);
  });

  test('comes in the order of asking to those who hold nothing', async () => {
    const budget = budgetOf();
    const holder = budget.begin(patient);
    await holder.grow(60);
    holder.settle(60);
    const large = budget.begin(patient).grow(50);
    const small = budget.begin(patient).grow(10);
    expect([await isDone(large), await isDone(small)]).toEqual([false, false]);
    holder.release();
    await Promise.all([large, small]);
  });

  test.each<[string, (reservation: Reservation) => void]>([
    ['released', (reservation) => reservation.release()],
    ['settled at less', (reservation) => reservation.settle(1)],
  ])('comes back when an answer is %s, once', async (_, end) => {
    const budget = budgetOf();
    const reservation = budget.begin(patient);
    await reservation.grow(50);
    end(reservation);
    end(reservation);
    expect(budget.heldBytes).toBe(0);
  });
});

describe('an answer that gets no room', () => {
  const kindOf = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => (error instanceof ServiceError ? error.kind : error),
    );

  test('is refused at its deadline, and does not hold up those after it', async () => {
    const budget = budgetOf();
    const holder = budget.begin(patient);
    await holder.grow(60);
    holder.settle(60);
    const late = budget.begin({ ...patient, deadlineMs: 5 }).grow(50);
    const next = budget.begin(patient).grow(40);
    expect(await kindOf(late)).toBe('unavailable');
    await next;
  });

  test('goes when its caller goes', async () => {
    const budget = budgetOf();
    const holder = budget.begin(patient);
    await holder.grow(60);
    holder.settle(60);
    const gone = new AbortController();
    const waiting = kindOf(budget.begin({ ...patient, signal: gone.signal }).grow(50));
    gone.abort('gone');
    expect(await waiting).toBe('gone');
  });

  test('is too long where none may have so much', async () => {
    expect(await kindOf(budgetOf().begin(patient).grow(61))).toBe('resource_exhausted');
  });
});

test('answers that grow in any steps all end, and never hold more than there is', async () => {
  const steps = fc.array(fc.integer({ min: 1, max: MOST }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(steps, { minLength: 1, maxLength: 12 }),
      fc.scheduler(),
      async (answers, scheduler) => {
        const budget = budgetOf();
        const ends = answers.map(async (sizes) => {
          const reservation = budget.begin(patient);
          for (const size of sizes) {
            await scheduler.schedule(Promise.resolve());
            await reservation.grow(size);
            expect(budget.heldBytes).toBeLessThanOrEqual(CAPACITY);
          }
          reservation.settle(Math.max(...sizes));
          await scheduler.schedule(Promise.resolve());
          reservation.release();
        });
        await scheduler.waitFor(Promise.all(ends));
        expect(budget.heldBytes).toBe(0);
      },
    ),
  );
});

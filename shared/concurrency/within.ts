import type { Clock } from './clock.ts';

/** A call was given up. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
  constructor(deadlineMs: number) {
    super(`no answer within ${deadlineMs} ms`);
  }
}

/**
 * What a call answers within so many milliseconds, else a DeadlineExceeded. What it answers later goes to `onLate`; its
 * failure then is dropped.
 */
export async function within<T>(
  clock: Clock,
  deadlineMs: number,
  call: () => Promise<T>,
  onLate: (value: T) => void = () => {},
): Promise<T> {
  const timer = new AbortController();
  let isLate = false;
  const answered = Promise.resolve().then(call);
  answered.then((value) => isLate && onLate(value)).catch(() => {});
  const tooLate = clock.sleep(deadlineMs, timer.signal).then(() => {
    isLate = true;
    throw new DeadlineExceeded(deadlineMs);
  });
  tooLate.catch(() => {});
  try {
    return await Promise.race([answered, tooLate]);
  } finally {
    timer.abort();
  }
}

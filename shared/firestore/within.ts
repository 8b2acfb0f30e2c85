import { FirestoreTimeout } from './firestore-failure.ts';

/** What a call gives within so many milliseconds, else a FirestoreTimeout; what it gives later is dropped. */
export async function within<T>(deadlineMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new FirestoreTimeout(deadlineMs)), deadlineMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

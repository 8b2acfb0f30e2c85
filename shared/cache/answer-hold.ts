import type { Reservation } from '../concurrency/byte-budget.ts';

/** What a caller holds of the memory for answers under way, from when it has an answer until that is sent. */
export interface AnswerHold {
  /** Reports that from now on only these bytes of the answer are needed. */
  encoded(body: Buffer): void;
  /** Reports that they are sent or no longer needed; further calls do nothing. */
  release(): void;
}

/** The hold on answers whose memory is not counted. */
export const NO_HOLD: AnswerHold = { encoded: () => {}, release: () => {} };

/** What those hold together who got the same answer at the same time. */
export interface SharedHold {
  /** One more of them; null when the last has released it. */
  take(): AnswerHold | null;
}

/**
 * Makes what callers of one answer share: the rows are held until all of them have encoded it, their bodies until all have
 * released it. The first take is for its maker.
 */
export function shareHold(reservation: Reservation): SharedHold {
  const bodies = new Set<Buffer>();
  let taken = 0;
  let encoding = 0;
  let isReleased = false;

  const endEncoding = () => {
    encoding -= 1;
    if (encoding > 0 || isReleased) return;
    reservation.settle([...bodies].reduce((sum, { length }) => sum + length, 0));
  };

  return {
    take() {
      if (isReleased) return null;
      taken += 1;
      encoding += 1;
      let state: 'encoding' | 'encoded' | 'released' = 'encoding';
      return {
        encoded(body) {
          if (state !== 'encoding') return;
          state = 'encoded';
          bodies.add(body);
          endEncoding();
        },
        release() {
          if (state === 'released') return;
          const isEncoding = state === 'encoding';
          state = 'released';
          taken -= 1;
          if (taken === 0) {
            isReleased = true;
            bodies.clear();
            reservation.release();
          } else if (isEncoding) endEncoding();
        },
      };
    },
  };
}

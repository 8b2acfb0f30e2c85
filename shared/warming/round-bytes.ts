/** What one query of a round may bill, until it is known what it has billed. */
export interface BytesReservation {
  readonly kind: 'reserved';
  /** Most bytes that the query may bill; null where it is unknown before it runs. */
  readonly mostBytes: number | null;
  /** Says what it has billed, and gives back the rest. */
  settle(billedBytes: number): void;
}

/** `left`: the round has no room for the query any more; `never`: no round has. */
export type BytesAnswer =
  | BytesReservation
  | { readonly kind: 'left' }
  | { readonly kind: 'never'; readonly mostBytes: number };

/** Shares the bytes that a round of warming may bill between its queries, before each begins. */
export interface RoundBytes {
  /**
   * Waits for what a query will bill at most, and for those that came before; then, where there is no room, for what
   * queries under way give back. The first that asks has room unless no round has. Throws what the estimate throws.
   */
  reserve(estimate: Promise<number | null>): Promise<BytesAnswer>;
}

/** Makes the account of one round. */
export function makeRoundBytes(maxBytes: number): RoundBytes {
  let billedBytes = 0;
  let reservedBytes = 0;
  let before: Promise<unknown> = Promise.resolve();
  let settlement = Promise.withResolvers<void>();

  async function take(mostBytes: number | null): Promise<BytesAnswer> {
    const bytes = mostBytes ?? 0;
    if (bytes > maxBytes) return { kind: 'never', mostBytes: bytes };
    while (billedBytes + reservedBytes + bytes > maxBytes || billedBytes >= maxBytes) {
      if (billedBytes + bytes > maxBytes || billedBytes >= maxBytes) return { kind: 'left' };
      await settlement.promise;
    }
    reservedBytes += bytes;
    return {
      kind: 'reserved',
      mostBytes,
      settle(billed) {
        reservedBytes -= bytes;
        billedBytes += billed;
        settlement.resolve();
        settlement = Promise.withResolvers();
      },
    };
  }

  return {
    reserve(estimate) {
      const earlier = before;
      const mine = estimate.then(async (mostBytes) => {
        await earlier;
        return take(mostBytes);
      });
      // A set whose estimate fails does not hold up the others.
      before = mine.then(
        () => {},
        () => earlier,
      );
      return mine;
    },
  };
}

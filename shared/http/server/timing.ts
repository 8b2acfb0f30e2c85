/** The phases of answering a query, in the order in which they follow each other; `store` is that of taking entries. */
export type Phase = 'auth' | 'bind' | 'query' | 'encode' | 'store';

/** Measures phases that follow each other without a gap. `clockMs` is monotonic. */
export class Timing {
  readonly #clockMs: () => number;
  readonly #startMs: number;
  #phaseStartMs: number;
  #entries = '';

  constructor(clockMs: () => number = monotonicMs) {
    this.#clockMs = clockMs;
    this.#startMs = clockMs();
    this.#phaseStartMs = this.#startMs;
  }

  /** Ends the phase that began when the one before it ended. */
  end(phase: Phase): void {
    const nowMs = this.#clockMs();
    const separator = this.#entries === '' ? '' : ', ';
    this.#entries += `${separator}${phase};dur=${(nowMs - this.#phaseStartMs).toFixed(2)}`;
    this.#phaseStartMs = nowMs;
  }

  /** The value of the Server-Timing header: `auth;dur=0.05, bind;dur=0.12`, in ms; empty before any phase ended. */
  header(): string {
    return this.#entries;
  }

  /** Milliseconds since the request arrived. */
  totalMs(): number {
    return this.#clockMs() - this.#startMs;
  }
}

function monotonicMs(): number {
  return performance.now();
}

/** Work that several callers wait for at once. */
interface Flight<T> {
  readonly outcome: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/** Lets callers that want the same thing at the same time share one computation of it. */
export interface SingleFlight<T> {
  /**
   * Joins the computation under way for a key, or starts one. A caller whose signal is aborted leaves with its
   * reason; when the last one has left, the computation's own signal is aborted and no further caller joins it. What
   * the computation throws goes to those who wait for it, and to no later caller.
   */
  run(key: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<T>): Promise<T>;
  isUnderWay(key: string): boolean;
}

/** Computations by key, none of them under way yet. No outcome is kept after its computation has ended. */
export function makeSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>();

  const end = (key: string, flight: Flight<T>) => {
    if (flights.get(key) === flight) flights.delete(key);
  };

  const launch = (key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> => {
    const controller = new AbortController();
    const outcome = Promise.resolve(controller.signal).then((signal) => {
      signal.throwIfAborted();
      return start(signal);
    });
    const flight: Flight<T> = { outcome, controller, waiting: 0 };
    flights.set(key, flight);
    const landed = () => end(key, flight);
    outcome.then(landed, landed);
    return flight;
  };

  return {
    isUnderWay: (key) => flights.has(key),
    run(key, signal, start) {
      if (signal.aborted) return Promise.reject(signal.reason);
      const flight = flights.get(key) ?? launch(key, start);
      flight.waiting += 1;
      return new Promise<T>((resolve, reject) => {
        const leave = () => {
          flight.waiting -= 1;
          reject(signal.reason);
          if (flight.waiting > 0) return;
          end(key, flight);
          flight.controller.abort(signal.reason);
        };
        signal.addEventListener('abort', leave, { once: true });
        const land = () => signal.removeEventListener('abort', leave);
        flight.outcome.finally(land).then(resolve, reject);
      });
    },
  };
}

/** Something that happens at a moment. */
export interface Queued {
  readonly atMs: number;
  /** Reports events of one moment apart, in the order in which they were made. */
  readonly order: number;
}

/** Events in the order of their moments: a binary heap. */
export class EventQueue<Event extends Queued> {
  readonly #heap: Event[] = [];

  get size(): number {
    return this.#heap.length;
  }

  add(event: Event): void {
    const heap = this.#heap;
    let index = heap.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(event, heap[parent]!)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = event;
  }

  /** The next event, taken out; undefined when there is none. */
  take(): Event | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, last)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
    return first;
  }
}

function isBefore(one: Queued, other: Queued): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}

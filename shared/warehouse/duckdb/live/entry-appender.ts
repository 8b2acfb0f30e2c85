import { ServiceError } from '../../../errors/service-error.ts';
import type { AppendResult, LogSink } from '../../../ingest/log-sink.ts';
import { EntryTable, newPackers } from './entry-table.ts';
import type { KnownKeys } from './known-keys.ts';
import type { RecordFiles } from './record-files.ts';
import { cannotStore } from './store-failure.ts';
import type { TableShape } from './table-shape.ts';
import { withoutDuplicates } from './without-duplicates.ts';

export interface EntryAppenderOptions {
  /** What the entries of each source are written in to begin with. */
  readonly shapes: ReadonlyMap<string, TableShape>;
  readonly keys: KnownKeys;
  readonly files: RecordFiles;
  /** With so many complete files that are in no segment, batches are refused. */
  readonly mostWaiting: number;
  /** Called when one is. */
  readonly onMostWaiting: () => void;
}

/** Checks batches one after the other, leaves out what is known, and has them written, those together that wait. */
export class EntryAppender implements LogSink {
  readonly #options: EntryAppenderOptions;
  readonly #tables: ReadonlyMap<string, EntryTable>;
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: EntryAppenderOptions) {
    this.#options = options;
    const packers = newPackers();
    this.#tables = new Map(
      [...options.shapes].map(([source, shape]) => [source, new EntryTable(source, shape, packers)]),
    );
  }

  async append(source: string, texts: readonly string[]): Promise<AppendResult> {
    const table = this.#tables.get(source);
    if (table === undefined) {
      const sources = [...this.#tables.keys()].join(', ');
      throw new ServiceError('invalid_argument', `there is no source ${source}; the sources are ${sources}`);
    }
    const { durable, ...result } = await this.inTurn(() => this.#stage(table, texts));
    await durable;
    return result;
  }

  /** Does work while no batch is checked. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Waits until no batch is checked. */
  async settle(): Promise<void> {
    await this.#turn;
  }

  /** Refuses batches from now on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turn;
  }

  /** Checks a batch and begins to write it. One at a time, as each may change the columns that the next is checked against. */
  async #stage(
    table: EntryTable,
    texts: readonly string[],
  ): Promise<AppendResult & { readonly durable: Promise<void> }> {
    if (this.#isClosed)
      throw new ServiceError('unavailable', 'the service is stopping; send the entries again');
    const { keys: known, files, mostWaiting, onMostWaiting } = this.#options;
    if (files.waiting.length >= mostWaiting) {
      onMostWaiting();
      throw new ServiceError(
        'resource_exhausted',
        'too many entries wait to be stored; send the batch again later, or send fewer at a time',
        { headers: { 'Retry-After': '1' } },
      );
    }
    const { source } = table;
    const packed = await table.pack(texts);
    const { duplicates, isTaken, keys, others } = await withoutDuplicates(known, source, packed.keys);
    const taken = texts.length - duplicates;
    try {
      let own: Promise<void> = Promise.resolve();
      if (taken > 0) {
        const { rows, repeated, shape } =
          duplicates === 0 ? packed : await table.pack(texts.filter((_, place) => isTaken(place)));
        own = (await files.append({ source, rows, repeated }, shape)).durable;
      }
      known.add(source, keys, own);
      // A duplicate is acknowledged when the entry itself is durable.
      const durable = Promise.all([own, others]).then(
        () => {},
        (error: unknown) => {
          throw cannotStore(error);
        },
      );
      return { taken, duplicates, durable };
    } catch (error) {
      throw cannotStore(error);
    }
  }
}

import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { detachFromLoop } from '../isolated/detach-from-loop.ts';
import { forkEngine } from '../isolated/fork-engine.ts';
import { publishFile } from './durable-files.ts';
import type { Segment } from './manifest.ts';
import { removeDatabase } from './segment-engine.ts';
import type {
  SealedRecords,
  SegmentContent,
  SegmentFolders,
  SegmentOrder,
  SegmentReport,
} from './segment-messages.ts';

/** The process's module, which lies beside this one: a source beside a source, a bundle beside a bundle. */
const ENTRY = fileURLToPath(new URL(`./segment-process${extname(import.meta.url)}`, import.meta.url));

/** The process ends when it was not needed for so long, in ms. */
const IDLE_MS = 30_000;

/**
 * Writes segments in a process of its own that comes after queries and entries: what it does takes nothing from their turns
 * on the event loop, and it gives way to them on the cores. One call at a time.
 */
export class SegmentWriter {
  readonly #folders: SegmentFolders;
  #child: ChildProcess | null = null;
  #ended: Promise<void> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  constructor(folders: SegmentFolders) {
    this.#folders = folders;
  }

  /** Writes the entries of a file of records into a segment. */
  seal(records: SealedRecords, segmentNumber: number): Promise<Segment> {
    const { file, bytes, shapes } = records;
    return this.#write({ kind: 'seal', records: { file, bytes, shapes } }, segmentNumber);
  }

  /** Writes the entries of segments into one, those before `oldestMicros` left out. */
  merge(segments: readonly Segment[], segmentNumber: number, oldestMicros: bigint | null): Promise<Segment> {
    return this.#write({ kind: 'merge', segments, oldestMicros }, segmentNumber);
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    this.#child?.ref();
    this.#child?.kill('SIGKILL');
    await this.#ended;
  }

  async #write(content: SegmentContent, segmentNumber: number): Promise<Segment> {
    const file = `segment-${segmentNumber}.db`;
    const path = join(this.#folders.directory, file);
    // A process whose service was killed may live for some moments beside the next one's: no two write the same file.
    const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
    try {
      const report = await this.#ask({ folders: this.#folders, content, path: temporary });
      if (report.kind === 'failed') throw new Error(report.reason);
      await publishFile(temporary, path);
      return { file, tables: report.tables };
    } catch (error) {
      await removeDatabase(temporary);
      throw error;
    }
  }

  async #ask(order: SegmentOrder): Promise<SegmentReport> {
    clearTimeout(this.#idle);
    const child = this.#child ?? this.#start();
    const { promise, resolve, reject } = Promise.withResolvers<SegmentReport>();
    const onClose = (code: number | null, signal: string | null) =>
      reject(new Error(`the process that writes segments ended (${signal ?? `exit code ${code}`})`));
    // While it writes, this process waits for it.
    child.ref();
    child.channel?.ref();
    child.once('message', resolve);
    child.once('close', onClose);
    child.once('error', reject);
    child.send(order, (error) => {
      if (error !== null) reject(error);
    });
    try {
      return await promise;
    } finally {
      child.off('message', resolve);
      child.off('close', onClose);
      child.off('error', reject);
      detachFromLoop(child);
      this.#idle = setTimeout(() => child.kill('SIGKILL'), IDLE_MS);
      this.#idle.unref();
    }
  }

  #start(): ChildProcess {
    const temporaryParent = this.#folders.temporaryDirectory;
    const child = forkEngine({ entry: ENTRY, temporaryParent, stderr: 'ignore' });
    this.#child = child;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ended = promise;
    const forget = () => {
      if (this.#child === child) this.#child = null;
      resolve();
    };
    child.once('close', forget);
    child.on('error', forget);
    return child;
  }
}

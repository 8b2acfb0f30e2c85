import type { DirectColumn, DirectRecord } from './direct-columns.ts';
import { CLOSE_OBJECT, COMMA, copyBytes, OPEN_OBJECT } from './json-bytes.ts';

const FIRST_BYTES = 64 * 1024;

/** Writes the JSON text that answers have of a record: its fields in the order of the columns, those that it lacks included. */
export class ShownText {
  bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  length = 0;

  /** Makes room for so many more bytes. */
  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const bytes = Buffer.allocUnsafeSlow(2 * (this.length + more));
    this.bytes.copy(bytes, 0, 0, this.length);
    this.bytes = bytes;
  }

  byte(byte: number): void {
    this.reserve(1);
    this.bytes[this.length] = byte;
    this.length += 1;
  }

  copy(from: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    this.length = copyBytes(from, start, end, this.bytes, this.length);
  }

  text(text: string): void {
    this.reserve(3 * text.length);
    this.length += this.bytes.write(text, this.length);
  }

  /** Begins a field, whose value follows. Of those before it the last one in order is at `last`, -1 for none. */
  beginField(record: DirectRecord, { column, key }: DirectColumn, last: number): void {
    this.#addBlanks(record, last + 1, column.place);
    this.#separate(last === -1 && column.place === 0);
    record.starts[column.place] = this.length;
    this.copy(key, 0, key.length);
  }

  endField(record: DirectRecord, { column }: DirectColumn): void {
    record.ends[column.place] = this.length;
  }

  /** Ends an object that began at `start`, whose last field in order is at `last`. `isOrdered` where all came in order. */
  endObject(record: DirectRecord, start: number, last: number, isOrdered: boolean): void {
    this.#addBlanks(record, last + 1, record.places.length);
    if (record.places.length === 0) this.byte(OPEN_OBJECT);
    if (!isOrdered) this.#order(record, start);
    this.byte(CLOSE_OBJECT);
  }

  #addBlanks(record: DirectRecord, from: number, to: number): void {
    for (let place = from; place < to; place += 1) {
      const blank = (record.places[place] as DirectColumn).blank;
      this.#separate(place === 0);
      record.starts[place] = this.length;
      this.copy(blank, 0, blank.length);
      record.ends[place] = this.length;
    }
  }

  #separate(isFirst: boolean): void {
    this.byte(isFirst ? OPEN_OBJECT : COMMA);
  }

  /** Puts the fields, which all are there, into their order. What stands for a field that came later is left out. */
  #order({ places, starts, ends }: DirectRecord, start: number): void {
    const end = this.length;
    for (let place = 0; place < places.length; place += 1) {
      this.#separate(place === 0);
      // The bytes may move with the first of them.
      this.copy(this.bytes, starts[place] as number, ends[place] as number);
    }
    this.bytes.copyWithin(start, end, this.length);
    this.length = start + this.length - end;
  }
}

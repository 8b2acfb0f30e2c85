/** Why an entry cannot be loaded, in words that follow "file, line, field:". */
export class MalformedEntry extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'MalformedEntry';
  }
}

/** An entry that cannot be loaded, as the load reports it. */
export interface EntryProblem {
  /** The field's names joined by dots; empty when the entry as a whole is at fault. */
  readonly path: string;
  readonly reason: string;
}

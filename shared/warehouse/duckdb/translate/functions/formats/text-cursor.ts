const SPACE = /[ \t\n\v\f\r]/;

/** A place in a text that is read from left to right. Whatever cannot be read leaves the cursor failed. */
export class TextCursor {
  readonly text: string;
  at = 0;
  hasFailed = false;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  get next(): string {
    return this.text.charAt(this.at);
  }

  /** Gives up on the text. */
  fail(): null {
    this.hasFailed = true;
    return null;
  }

  /** Skips white space, also none. */
  skipSpaces(): void {
    while (!this.isAtEnd && SPACE.test(this.next)) this.at++;
  }

  /** Reads a text that has to stand here. */
  expect(text: string): void {
    if (this.hasFailed) return;
    if (this.text.startsWith(text, this.at)) this.at += text.length;
    else this.fail();
  }

  /** Reads the first of some words that stands here, whatever its letters' case; its place in the list. */
  word(words: readonly string[]): number | null {
    if (this.hasFailed) return null;
    const found = words.findIndex(
      (word) => this.text.slice(this.at, this.at + word.length).toLowerCase() === word.toLowerCase(),
    );
    const word = words[found];
    if (word === undefined) return this.fail();
    this.at += word.length;
    return found;
  }

  /** Reads a number of at most so many characters, a minus included; one out of its range fails. */
  integer(width: number, least: number, most: number): number | null {
    if (this.hasFailed) return null;
    const isNegative = this.next === '-';
    const from = isNegative ? this.at + 1 : this.at;
    let end = from;
    while (end - from < width - (isNegative ? 1 : 0) && isDigit(this.text.charAt(end))) end++;
    const value = Number(this.text.slice(from, end)) * (isNegative ? -1 : 1);
    if (end === from || Object.is(value, -0) || value < least || value > most) return this.fail();
    this.at = end;
    return value;
  }

  /** The same with blanks before it and without a sign; digits that would leave the range stay unread. */
  shortNumber(width: number, least: number, most: number): number | null {
    if (this.hasFailed) return null;
    while (this.next === ' ') this.at++;
    let [value, read] = [0, 0];
    while (isDigit(this.next) && read < width && (read === 0 || value * 10 <= most)) {
      value = value * 10 + Number(this.next);
      this.at++;
      read++;
    }
    return read === 0 || value < least || value > most ? this.fail() : value;
  }

  /** Reads digits as a fraction of a second: microseconds. Those beyond six do not count. */
  fraction(most: number): number | null {
    if (this.hasFailed) return null;
    let end = this.at;
    while (end - this.at < most && isDigit(this.text.charAt(end))) end++;
    if (end === this.at) return this.fail();
    const digits = this.text.slice(this.at, end).slice(0, 6);
    this.at = end;
    return Number(digits.padEnd(6, '0'));
  }
}

/** Whether a character is white space of ASCII. */
export function isSpace(character: string): boolean {
  return SPACE.test(character);
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9' && character.length === 1;
}

/** What a regular expression in RE2 syntax says before it is compiled. */
export interface Re2Outline {
  /**
   * At most how many instructions RE2 compiles it to, counted repetitions written out. Bytes of UTF-8 are instructions, so that
   * a class of thousands of letters weighs a thousand.
   */
  readonly size: number;
  /**
   * The same expression with `(?P<name>…)` for `(?<name>…)`, which older versions of RE2 do not know, and with an end to a
   * last `\Q`, so that it may stand in a larger one.
   */
  readonly portable: string;
  /** The portable form without the flag `i`, which has no part in what is valid; equal to it where there is none. */
  readonly unfolded: string;
}

/** The weights of what stands for one character, found by compiling all of them. */
const WEIGHTS = { ascii: 1, other: 4, member: 1, range: 25, any: 12, perl: 16, unicode: 1210 } as const;
/** The same where the flag `i` adds a character's other cases. */
const FOLDED_WEIGHTS = { ...WEIGHTS, ascii: 4, other: 25, member: 16, range: 100, perl: 32 } as const;

/** Escapes of more than a backslash and one character: code points, octal digits and Unicode classes. */
const LONG_ESCAPE = /\\(?:x\{\w*\}|x\w\w|[pP](?:\{\^?\w*\}|[\s\S])|[0-7]{2,3})/y;
const POSIX_CLASS = /\[:\^?\w+:\]/y;
const FLAGS = /\(\?[A-Za-z-]*[:)]/y;
const NAMED_GROUP = /\(\?<(?![=!])/y;
const PYTHON_GROUP = /\(\?P</y;
const QUANTIFIER = /(?:([*+?])|\{(\d{1,9})(?:(,)(\d{0,9}))?\})\??/y;

/** Reads any text in one pass, from left to right; of one that is no regular expression it says what it can. */
export function readRe2(pattern: string): Re2Outline {
  return new OutlineReader(pattern).read();
}

/** The size of the alternatives around the current place. */
interface Level {
  size: number;
  /** Of what a quantifier that comes next repeats. */
  last: number;
}

class OutlineReader {
  readonly #pattern: string;
  readonly #weights: Readonly<Record<keyof typeof WEIGHTS, number>>;
  readonly #outer: Level[] = [];
  #level: Level = { size: 0, last: 0 };
  #at = 0;
  #portable = '';
  #unfolded = '';
  /** Where the text begins that is not yet in those two. */
  #copied = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#weights = /\(\?[A-Za-z]*i/.test(pattern) ? FOLDED_WEIGHTS : WEIGHTS;
  }

  read(): Re2Outline {
    while (this.#at < this.#pattern.length) this.#part();
    while (this.#outer.length > 0) this.#close();
    this.#copyUpTo(this.#pattern.length);
    return {
      size: this.#level.size + this.#level.last,
      portable: this.#portable,
      unfolded: this.#unfolded,
    };
  }

  #part(): void {
    const character = this.#pattern[this.#at] ?? '';
    if (character === '(') this.#open();
    else if (character === '|' || character === ')') this.#mark(character);
    else if ('*+?{'.includes(character)) this.#repeat();
    else if (this.#pattern.startsWith('\\Q', this.#at)) this.#quoted();
    else this.#atom(this.#character(character));
  }

  #mark(character: '|' | ')'): void {
    this.#at++;
    if (character === ')') this.#close();
    else this.#atom(1);
  }

  #character(character: string): number {
    if (character === '[') return this.#characterClass();
    if (character === '\\') return this.#escape();
    const weight = this.#literal();
    return character === '.' ? this.#weights.any : weight;
  }

  #atom(size: number): void {
    this.#level.size += this.#level.last;
    this.#level.last = size;
  }

  #open(): void {
    const start = this.#at;
    const flags = this.#take(FLAGS);
    if (flags !== null) {
      this.#copyUpTo(start);
      this.#portable += flags;
      this.#unfolded += flags.replaceAll('i', 's');
      if (flags.endsWith(')')) return;
    } else if (this.#take(NAMED_GROUP) !== null) {
      this.#copyUpTo(start);
      this.#portable += '(?P<';
      this.#unfolded += '(?P<';
    } else if (this.#take(PYTHON_GROUP) === null) {
      this.#at++;
    }
    this.#outer.push(this.#level);
    this.#level = { size: 2, last: 0 };
  }

  #close(): void {
    const outer = this.#outer.pop();
    if (outer === undefined) return;
    const size = this.#level.size + this.#level.last;
    this.#level = outer;
    this.#atom(size);
  }

  #repeat(): void {
    QUANTIFIER.lastIndex = this.#at;
    const match = QUANTIFIER.exec(this.#pattern);
    if (match === null) {
      this.#atom(this.#literal());
      return;
    }
    this.#at += match[0].length;
    const [, operator, least = '', comma, most] = match;
    const isOpen = operator !== undefined || (comma !== undefined && most === '');
    const count = operator === undefined ? Number(most || least) : 1;
    const perCount = this.#level.last + (most === undefined || most === '' ? 0 : 1);
    this.#level.last = Math.max(count, 1) * perCount + (isOpen ? 2 : 0);
  }

  #quoted(): void {
    const end = this.#pattern.indexOf('\\E', this.#at + 2);
    const stop = end < 0 ? this.#pattern.length : end;
    this.#at += 2;
    while (this.#at < stop) this.#atom(this.#literal());
    if (end >= 0) {
      this.#at = end + 2;
    } else {
      this.#copyUpTo(stop);
      this.#portable += '\\E';
      this.#unfolded += '\\E';
    }
  }

  /** A class weighs what its parts weigh: those left out split what is left. */
  #characterClass(): number {
    this.#at++;
    let size: number = this.#weights.perl;
    if (this.#is('^')) this.#at++;
    for (let first = true; this.#at < this.#pattern.length && (first || !this.#is(']')); first = false) {
      if (this.#take(POSIX_CLASS) !== null) size += this.#weights.perl;
      else size += this.#is('\\') ? Math.max(this.#weights.member, this.#escape()) : this.#member();
    }
    this.#at++;
    return size;
  }

  /** One character in a class: what is beyond ASCII may be the end of a range, and weighs as much. */
  #member(): number {
    return this.#literal() === this.#weights.ascii ? this.#weights.member : this.#weights.range;
  }

  #escape(): number {
    const long = this.#take(LONG_ESCAPE);
    if (long === null) {
      this.#at += 2;
      const character = this.#pattern[this.#at - 1] ?? '';
      return /[DSWdsw]/.test(character) ? this.#weights.perl : this.#weights.ascii;
    }
    return /^\\[pP]/.test(long) ? this.#weights.unicode : this.#weights.range;
  }

  #literal(): number {
    const codePoint = this.#pattern.codePointAt(this.#at) ?? 0;
    this.#at += codePoint > 0xffff ? 2 : 1;
    return codePoint < 0x80 ? this.#weights.ascii : this.#weights.other;
  }

  #is(character: string): boolean {
    return this.#pattern[this.#at] === character;
  }

  #take(form: RegExp): string | null {
    form.lastIndex = this.#at;
    const text = form.exec(this.#pattern)?.[0] ?? null;
    this.#at += text?.length ?? 0;
    return text;
  }

  /** Takes over what comes before `end` as it is, and goes on after the current place. */
  #copyUpTo(end: number): void {
    const text = this.#pattern.slice(this.#copied, end);
    this.#portable += text;
    this.#unfolded += text;
    this.#copied = this.#at;
  }
}

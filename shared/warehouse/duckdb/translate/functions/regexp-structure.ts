/** What a regular expression (RE2 syntax, known to be valid) says about its first capturing group. */
export interface RegexpStructure {
  readonly groups: number;
  /** Whether the whole expression, or the first group, never matches empty text. */
  readonly isNeverEmpty: boolean;
  readonly isGroupNeverEmpty: boolean;
  /** Whether the expression can match without the first group taking part, as in `(a)?b`. */
  readonly isGroupOptional: boolean;
}

/** Reads the structure of a regular expression. Where it is unsure, it says that something may be empty. */
export function readStructure(pattern: string): RegexpStructure {
  const reader = new StructureReader(pattern);
  const isNeverEmpty = reader.alternation();
  return { groups: reader.groups, isNeverEmpty, ...reader.first };
}

class StructureReader {
  groups = 0;
  first = { isGroupNeverEmpty: false, isGroupOptional: false };
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** Reads up to the end or a closing parenthesis; answers whether it never matches empty text. */
  alternation(): boolean {
    const groupsBefore = this.groups;
    const branches = [this.#sequence()];
    while (this.#take('|')) branches.push(this.#sequence());
    if (branches.length > 1 && groupsBefore === 0 && this.groups > 0) this.#markOptional();
    return branches.every((isNeverEmpty) => isNeverEmpty);
  }

  #sequence(): boolean {
    let isNeverEmpty = false;
    while (this.#at < this.#pattern.length && !this.#is('|') && !this.#is(')')) {
      const groupsBefore = this.groups;
      const isAtomNeverEmpty = this.#atom();
      const isRequired = this.#quantifier();
      if (!isRequired && groupsBefore === 0 && this.groups > 0) this.#markOptional();
      if (isAtomNeverEmpty && isRequired) isNeverEmpty = true;
    }
    return isNeverEmpty;
  }

  #markOptional(): void {
    this.first = { ...this.first, isGroupOptional: true };
  }

  #atom(): boolean {
    // A quantifier after a character beyond U+FFFF is of both halves of it.
    const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    if (character === '(') return this.#group();
    if (character === '[') return this.#characterClass();
    if (character === '\\') return this.#escape();
    return character !== '^' && character !== '$';
  }

  #group(): boolean {
    const head = /^\?(?:P?<\w+>|[a-zA-Z-]*(:|\)))/.exec(this.#pattern.slice(this.#at, this.#at + 80));
    const isCapturing = head === null || head[0].endsWith('>');
    this.#at += head?.[0].length ?? 0;
    if (head?.[1] === ')') return false;
    if (isCapturing) this.groups++;
    const number = this.groups;
    const isNeverEmpty = this.alternation();
    this.#take(')');
    if (isCapturing && number === 1) this.first = { ...this.first, isGroupNeverEmpty: isNeverEmpty };
    return isNeverEmpty;
  }

  #characterClass(): boolean {
    this.#take('^');
    this.#take(']');
    while (this.#at < this.#pattern.length && !this.#take(']')) {
      if (this.#take('\\')) this.#at++;
      else this.#at += /^\[:\^?\w+:\]/.exec(this.#pattern.slice(this.#at, this.#at + 16))?.[0].length ?? 1;
    }
    return true;
  }

  #escape(): boolean {
    const character = this.#pattern[this.#at] ?? '';
    this.#at++;
    if (character === 'Q') {
      const end = this.#pattern.indexOf('\\E', this.#at);
      this.#at = end < 0 ? this.#pattern.length : end + 2;
      return false;
    }
    // \x41, \x{263a}, \pL, \p{Greek} and \101 are longer than a backslash and one character.
    const rest = this.#pattern.slice(this.#at - 1, this.#at + 40);
    const long = /^(?:x(?:\{\w*\}|\w\w)|[pP](?:\{\^?\w*\}|\w)|[0-7]{2,3})/.exec(rest);
    this.#at += (long?.[0].length ?? 1) - 1;
    return !/[bBAzE]/.test(character);
  }

  /** Reads quantifiers after an atom; answers whether they need it at least once. */
  #quantifier(): boolean {
    let isRequired = true;
    for (;;) {
      const match = /^(?:([*+?])|\{(\d+)(?:,\d*)?\})\??/.exec(this.#pattern.slice(this.#at, this.#at + 16));
      if (match === null) return isRequired;
      this.#at += match[0].length;
      if (match[1] === '*' || match[1] === '?' || Number(match[2] ?? 1) === 0) isRequired = false;
    }
  }

  #is(character: string): boolean {
    return this.#pattern[this.#at] === character;
  }

  #take(character: string): boolean {
    if (!this.#is(character)) return false;
    this.#at++;
    return true;
  }
}

import { parseIsoTimestamp } from '../endpoints/parse-iso-timestamp.ts';

/** How the text of a setting becomes a value. */
export interface SettingKind<T> {
  /** What stands for the value in the help, such as PORT; null for a switch, which needs no value. */
  readonly placeholder: string | null;
  /** What is accepted, in words that follow "it takes". */
  readonly accepts: string;
  /** The value, or undefined for text that is not accepted. The text is never empty. */
  parse(text: string): T | undefined;
}

/** A whole number of `min` to `max`. */
export function wholeNumber(placeholder: string, min: number, max: number): SettingKind<number> {
  return {
    placeholder,
    accepts: `a whole number from ${min} to ${max}`,
    parse: (text) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
  };
}

/** One of a few words. */
export function oneOf<const Choice extends string>(...choices: readonly Choice[]): SettingKind<Choice> {
  return {
    placeholder: choices.join('|'),
    accepts: `one of ${choices.join(', ')}`,
    parse: (text) => choices.find((choice) => choice === text),
  };
}

/** A path; whether something is there is checked apart. */
export function path(placeholder: 'DIR' | 'FILE'): SettingKind<string> {
  return {
    placeholder,
    accepts: placeholder === 'DIR' ? 'the path of a folder' : 'the path of a file',
    parse: (text) => (text.includes('\0') ? undefined : text),
  };
}

/** A host name, an IPv4 or an IPv6 address, the last with or without brackets. */
export const HOST: SettingKind<string> = {
  placeholder: 'HOST',
  accepts: 'a host name or an IP address, such as localhost, 0.0.0.0 or ::1',
  parse: (text) =>
    /^(?:([A-Za-z0-9._:%-]{1,253})|\[([0-9A-Fa-f:.%]{2,60})\])$/.exec(text)?.slice(1).find(Boolean),
};

/** An instant, as microseconds since the epoch. */
export const INSTANT: SettingKind<bigint> = {
  placeholder: 'ISO',
  accepts: 'an instant in ISO 8601, such as 2026-01-31T12:30:00Z',
  parse: (text) => {
    const parsed = parseIsoTimestamp(text);
    return 'micros' in parsed ? parsed.micros : undefined;
  },
};

export const SWITCH: SettingKind<boolean> = {
  placeholder: null,
  accepts: 'true or false',
  parse: (text) => (['true', '1'].includes(text) ? true : ['false', '0'].includes(text) ? false : undefined),
};

/** A token that can travel in an HTTP header and is too long to be guessed. */
export const SECRET: SettingKind<string> = {
  placeholder: 'TOKEN',
  accepts: 'at least 16 and at most 256 printable ASCII characters without spaces',
  parse: (text) => (/^[\x21-\x7e]{16,256}$/.test(text) ? text : undefined),
};

import { parseIsoTimestamp } from '../time/iso-timestamp.ts';

/** How the text of a setting becomes a value. */
export interface SettingKind<T> {
  /** What stands for the value in the help, such as PORT; null for a switch, which needs no value. */
  readonly placeholder: string | null;
  /** What is accepted, in words that follow "it takes". */
  readonly accepts: string;
  /** The value, or undefined for text that is not accepted. The text is never empty. */
  parse(text: string): T | undefined;
  /** What is wrong with a text that is not accepted, where its whole would not show it, in words that follow "was given". */
  problem?(text: string): string;
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

const UNIT_SECONDS: Readonly<Record<string, bigint>> = { d: 86_400n, h: 3_600n, m: 60n };
const MOST_AGE_SECONDS = 36_500n * 86_400n;

/** A length of time, in microseconds. */
export const AGE: SettingKind<bigint> = {
  placeholder: 'AGE',
  accepts: 'a whole number of days, hours or minutes, such as 7d, 12h or 90m, of at most 36500d',
  parse: (text) => {
    const [, digits, unit = ''] = /^([1-9]\d{0,8})([dhm])$/.exec(text) ?? [];
    const seconds = digits === undefined ? undefined : BigInt(digits) * (UNIT_SECONDS[unit] ?? 0n);
    return seconds === undefined || seconds > MOST_AGE_SECONDS ? undefined : seconds * 1_000_000n;
  },
};

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

/** The same for what is on by default in some places: the value is always written. */
export const TRUE_OR_FALSE: SettingKind<boolean> = { ...SWITCH, placeholder: 'true|false' };

/** A token that can travel in an HTTP header and is too long to be guessed. */
export const SECRET: SettingKind<string> = {
  placeholder: 'TOKEN',
  accepts: 'at least 16 and at most 256 printable ASCII characters without spaces',
  parse: (text) => (/^[\x21-\x7e]{16,256}$/.test(text) ? text : undefined),
};

/** A project's id (https://cloud.google.com/resource-manager/docs/creating-managing-projects), domain-scoped ones too. */
export const PROJECT_ID = '(?:[a-z0-9.-]{1,63}:)?[a-z][a-z0-9-]{4,28}[a-z0-9]';

/** A project of log entries: any text that shows. */
export const PROJECT_NAME: SettingKind<string> = {
  placeholder: 'PROJECT',
  accepts: 'the name of a project, at most 256 characters without control characters or space around it',
  parse: (text) => (/^[^\p{C}]{1,256}$/u.test(text) && text.trim() === text ? text : undefined),
};

/** Text that a pattern describes. */
function matching(placeholder: string, pattern: string, accepts: string): SettingKind<string> {
  const whole = new RegExp(`^${pattern}$`);
  return { placeholder, accepts, parse: (text) => (whole.test(text) ? text : undefined) };
}

export const GOOGLE_PROJECT = matching(
  'PROJECT',
  PROJECT_ID,
  'the id of a Google Cloud project: 6 to 30 lower-case letters, digits and hyphens, the first a letter',
);

/** A dataset, by itself or after its project. */
export const DATASET = matching(
  '[PROJECT.]DATASET',
  `(?:${PROJECT_ID}\\.)?[A-Za-z0-9_]{1,1024}`,
  'a BigQuery dataset such as log_entries or my-project.log_entries',
);

export const LOCATION = matching(
  'LOCATION',
  '[A-Za-z][A-Za-z0-9-]{1,40}',
  'a BigQuery location such as EU, US or europe-west1',
);

export const DATABASE = matching(
  'DATABASE',
  '(?:\\(default\\)|[a-z][a-z0-9-]{2,61}[a-z0-9])',
  'the id of a Firestore database: (default), or 4 to 63 lower-case letters, digits and hyphens',
);

/** The beginning of a topic's id (https://cloud.google.com/pubsub/docs/pubsub-basics#resource_names). */
export const TOPIC_PREFIX = matching(
  'PREFIX',
  '(?!goog)[A-Za-z][A-Za-z0-9._~+-]{2,150}',
  'the beginning of the ids of Pub/Sub topics, such as lqe-logs-: 3 to 151 letters, digits and - . _ ~ +, the first a letter',
);

export const URL_TEXT = matching(
  'URL',
  'https?://[\\x21-\\x7e]{1,500}',
  'a URL that begins with https:// or http://',
);

export const EMAIL = matching(
  'EMAIL',
  '[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190}',
  'the e-mail address of a service account',
);

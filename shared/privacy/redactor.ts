import { cardRule } from './kinds/card.ts';
import { credentialRule } from './kinds/credential.ts';
import { emailRule } from './kinds/email.ts';
import { ipRule } from './kinds/ip.ts';
import { phoneRule } from './kinds/phone.ts';
import { redactJsonText } from './redact-json-text.ts';
import type { Redaction, RedactionRule } from './redaction.ts';

/**
 * What can be redacted, in the order in which it is looked for: an address within a token goes with the token. IP
 * addresses always are, where anything is.
 */
const RULES = {
  credential: credentialRule,
  email: emailRule,
  card: cardRule,
  phone: phoneRule,
  ip: ipRule,
} as const satisfies Readonly<Record<string, RedactionRule>>;

/** A kind of personal data or secret that can be redacted. */
export type RedactionKind = keyof typeof RULES;

/** The kinds that can be asked for besides IP addresses. */
export const OPTIONAL_KINDS = [
  'credential',
  'email',
  'card',
  'phone',
] as const satisfies readonly RedactionKind[];

/** Replaces what identifies persons. */
export interface Redactor {
  /** What is replaced, for keys of a cache. */
  readonly kinds: readonly RedactionKind[];
  /** In plain text. */
  text(text: string): Redaction;
  /** In every string of the text of a JSON value, as `redactJsonText` says. */
  json(json: string): Redaction;
}

/** Makes what replaces IP addresses and the kinds that are named. */
export function makeRedactor(also: readonly RedactionKind[] = []): Redactor {
  const selected = new Set<RedactionKind>([...also, 'ip']);
  const kinds = (Object.keys(RULES) as RedactionKind[]).filter((kind) => selected.has(kind));
  const rules = kinds.map((kind) => RULES[kind]);
  const text = (given: string): Redaction =>
    rules.reduce<Redaction>(
      (so, rule) => {
        const { text: after, count } = rule.redact(so.text);
        return { text: after, count: so.count + count };
      },
      { text: given, count: 0 },
    );
  // In JSON an escape may stand for any character.
  const hint = new RegExp([...rules.map((rule) => rule.hint), '\\\\'].join('|'));
  return { kinds, text, json: (json) => redactJsonText(json, { hint, redact: text }) };
}

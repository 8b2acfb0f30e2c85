import { invalidParameter, ServiceError } from '../../errors/service-error.ts';
import type { RequestParameters } from './request-parameters.ts';
import { decodePercent } from './request-target.ts';

/**
 * Reads a URL's query by the rules of application/x-www-form-urlencoded (WHATWG URL, section 5.1): pairs joined
 * by `&`, a `+` is a space. Stricter than those: a malformed percent escape or bytes that are not UTF-8 throw
 * invalid_argument instead of being let through changed.
 */
export function parseUrlParameters(query: string): RequestParameters {
  const parameters = new Map<string, string[]>();
  if (query === '') return parameters;
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodeName(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decodeValue(name, pair.slice(equals + 1));
    const values = parameters.get(name);
    if (values === undefined) parameters.set(name, [value]);
    else values.push(value);
  }
  return parameters;
}

function decodeName(text: string): string {
  const name = decodeForm(text);
  if (name === undefined) {
    throw new ServiceError(
      'invalid_argument',
      'A parameter name in the URL is not valid percent-encoded UTF-8; write a literal % as %25.',
      { details: [{ reason: 'malformed percent-encoding in a parameter name' }] },
    );
  }
  return name;
}

function decodeValue(name: string, text: string): string {
  const value = decodeForm(text);
  if (value === undefined) {
    throw invalidParameter(
      name,
      `Parameter '${name}' is not valid percent-encoded UTF-8; write a literal % as %25.`,
    );
  }
  return value;
}

/** Matches what decoding would change; most names and values hold none of it. */
const ENCODED = /[%+]/;

function decodeForm(text: string): string | undefined {
  return ENCODED.test(text) ? decodePercent(text.replaceAll('+', ' ')) : text;
}

import { type JsonDocument, JsonSyntaxError, readJson } from '../../../../../sql/values/json-document.ts';
import { ValueError } from './javascript-function.ts';

/** Reads what is known to be JSON. Throws a ValueError where it cannot be read. */
export function knownJson(text: string): JsonDocument {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new ValueError(error.message);
    throw error;
  }
}

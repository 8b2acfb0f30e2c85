import { type Entries, perText, scalar } from './entry.ts';

const hash = (description: string, result: string) =>
  scalar(description, ...perText((type) => `(${type}) -> ${result}`));

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/hash_functions */
export const HASH_FUNCTIONS: Entries = {
  FARM_FINGERPRINT: hash('The fingerprint of the open-source FarmHash library.', 'INT64'),
  MD5: hash('The MD5 digest.', 'BYTES'),
  SHA1: hash('The SHA-1 digest.', 'BYTES'),
  SHA256: hash('The SHA-256 digest.', 'BYTES'),
  SHA512: hash('The SHA-512 digest.', 'BYTES'),
};

import {
  type Entries,
  type FunctionEntry,
  perText,
  raising,
  sameFor,
  scalar,
  strict,
  total,
} from './entry.ts';

/** The second argument is a regular expression. */
const pattern = (description: string, signature: (type: string) => string): FunctionEntry => ({
  ...scalar(description, ...perText(signature)),
  patternArgument: 1,
});
const hash = (description: string, result: string) =>
  scalar(description, ...perText((type) => `(${type}) -> ${result}`));

/** Regular expressions (RE2), hashes, sketches and network addresses. */
export const TEXT_ANALYSIS_FUNCTIONS: Entries = {
  REGEXP_CONTAINS: strict(
    total(pattern('Whether a value matches a regular expression.', (type) => `(${type}, ${type}) -> BOOL`)),
  ),
  ...sameFor(['REGEXP_EXTRACT', 'REGEXP_SUBSTR'], () =>
    pattern(
      'What a regular expression matches, or its capturing group.',
      (type) => `(${type}, ${type}[, INT64, INT64]) -> ${type}`,
    ),
  ),
  REGEXP_EXTRACT_ALL: pattern(
    'Everything that a regular expression matches.',
    (type) => `(${type}, ${type}) -> ARRAY<${type}>`,
  ),
  REGEXP_INSTR: pattern(
    'The position of what a regular expression matches, from 1.',
    (type) => `(${type}, ${type}[, INT64, INT64, INT64]) -> INT64`,
  ),
  REGEXP_REPLACE: pattern(
    'Replaces what a regular expression matches; \\1 is a group.',
    (type) => `(${type}, ${type}, ${type}) -> ${type}`,
  ),
  FARM_FINGERPRINT: hash('The fingerprint of the open-source FarmHash library.', 'INT64'),
  MD5: hash('The MD5 digest.', 'BYTES'),
  SHA1: hash('The SHA-1 digest.', 'BYTES'),
  SHA256: hash('The SHA-256 digest.', 'BYTES'),
  SHA512: hash('The SHA-512 digest.', 'BYTES'),
  'HLL_COUNT.EXTRACT': raising('The number of different values that a sketch is of.', '(BYTES) -> INT64'),
  'NET.HOST': scalar('The host of a URL.', '(STRING) -> STRING'),
  'NET.PUBLIC_SUFFIX': {
    ...scalar('The public suffix of a URL.', '(STRING) -> STRING'),
    isSafeByItself: true,
  },
  'NET.REG_DOMAIN': {
    ...scalar('The registered domain of a URL.', '(STRING) -> STRING'),
    isSafeByItself: true,
  },
  'NET.IP_FROM_STRING': scalar('An IP address as BYTES.', '(STRING) -> BYTES'),
  'NET.SAFE_IP_FROM_STRING': scalar('An IP address as BYTES, NULL if it is invalid.', '(STRING) -> BYTES'),
  'NET.IP_TO_STRING': { ...scalar('The text of an IP address.', '(BYTES) -> STRING'), givesShortText: true },
  'NET.IP_NET_MASK': scalar('A network mask of so many bytes and bits.', '(INT64, INT64) -> BYTES'),
  'NET.IP_TRUNC': scalar('An IP address without its last bits.', '(BYTES, INT64) -> BYTES'),
  'NET.IPV4_FROM_INT64': scalar('The IPv4 address of a number.', '(INT64) -> BYTES'),
  'NET.IPV4_TO_INT64': scalar('The number of an IPv4 address.', '(BYTES) -> INT64'),
};

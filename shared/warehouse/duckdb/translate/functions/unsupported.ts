/**
 * Functions of the catalogue that DuckDB has no exact answer for; a call of one is refused. Every other function and
 * operator of the catalogue is computed.
 */
export const UNSUPPORTED: readonly string[] = [
  'APPROX_TOP_SUM',
  'FARM_FINGERPRINT',
  'FROM_BASE32',
  'NET.PUBLIC_SUFFIX',
  'NET.REG_DOMAIN',
  'PARSE_BIGNUMERIC',
  'SHA512',
  'SOUNDEX',
  'TO_BASE32',
];

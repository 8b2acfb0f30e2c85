/**
 * Functions of the catalogue that DuckDB has no exact answer for; a call of one is refused. Every other function and
 * operator of the catalogue is computed.
 */
export const UNSUPPORTED: readonly string[] = [
  'APPROX_TOP_SUM',
  'FARM_FINGERPRINT',
  'FROM_BASE32',
  'NET.IPV4_FROM_INT64',
  'NET.IPV4_TO_INT64',
  'NET.IP_FROM_STRING',
  'NET.IP_NET_MASK',
  'NET.IP_TO_STRING',
  'NET.IP_TRUNC',
  'NET.PUBLIC_SUFFIX',
  'NET.REG_DOMAIN',
  'NET.SAFE_IP_FROM_STRING',
  'PARSE_BIGNUMERIC',
  'SHA512',
  'SOUNDEX',
  'TO_BASE32',
];

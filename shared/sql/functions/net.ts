import { type Entries, scalar } from './entry.ts';

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/net_functions */
export const NET_FUNCTIONS: Entries = {
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

import { BYTES } from '../../../../sql/types/sql-type.ts';
import { duck, joined, mapped, type Sql, textLiteral, word } from '../duck/sql.ts';
import { argument, type CallTranslator, type CallTranslators } from './call-site.ts';
import { excerpt, raise, withLocals } from './fragments.ts';

const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const IPV4 = `(?:${OCTET}[.]){3}${OCTET}`;
const GROUP = '[0-9a-fA-F]{1,4}';
const GROUPS = `(?:${GROUP}(?::${GROUP}){0,6})?`;

/** The address's bytes, NULL for text that is no address. An IPv4 address may end an IPv6 one. */
function bytesOf(text: Sql): Sql {
  return withLocals([text], (address) => {
    const tail = duck`regexp_extract(${address}, '[0-9.]+$')`;
    const withGroups = duck`regexp_replace(${address}, '[0-9.]+$', '') || gsql_ipv4_groups(${tail})`;
    const ipv6 = duck`CASE WHEN NOT contains(${address}, '.') THEN ${address} WHEN regexp_matches(${address}, ${textLiteral(`:${IPV4}$`)}) THEN ${withGroups} ELSE '' END`;
    return duck`CASE WHEN regexp_full_match(${address}, ${textLiteral(IPV4)}) THEN unhex(gsql_ipv4_hex(${address})) WHEN contains(${address}, ':') THEN ${withLocals([ipv6], ipv6Bytes)} END`;
  });
}

function ipv6Bytes(address: Sql): Sql {
  const [left, right] = [duck`split_part(${address}, '::', 1)`, duck`split_part(${address}, '::', 2)`];
  const zeros = duck`repeat('0', 32 - length(gsql_ipv6_hex(${left})) - length(gsql_ipv6_hex(${right})))`;
  const isShort = duck`regexp_full_match(${address}, ${textLiteral(`${GROUPS}::${GROUPS}`)}) AND length(gsql_ipv6_hex(${left})) + length(gsql_ipv6_hex(${right})) <= 28`;
  return duck`CASE WHEN regexp_full_match(${address}, ${textLiteral(`(?:${GROUP}:){7}${GROUP}`)}) THEN unhex(gsql_ipv6_hex(${address})) WHEN ${isShort} THEN unhex(gsql_ipv6_hex(${left}) || ${zeros} || gsql_ipv6_hex(${right})) END`;
}

const fromString: CallTranslator = (site) =>
  withLocals([argument(site, 0)], (text) =>
    withLocals([bytesOf(text)], (bytes) => {
      const error = raise(
        duck`'NET.IP_FROM_STRING() encountered an unparseable IP-address: ' || ${excerpt(text)}`,
        BYTES,
      );
      return duck`CASE WHEN ${text} IS NULL THEN NULL WHEN ${bytes} IS NULL THEN ${error} ELSE ${bytes} END`;
    }),
  );

/** The longest run of at least two zero groups is left out, the first of equals; an IPv4 address in the end has dots. */
function ipv6Text(hex: Sql): Sql {
  const all = duck`lower(${hex})`;
  const groups = duck`array_to_string(${mapped(word('range(0, 8)'), (i) => duck`coalesce(nullif(ltrim(substring(${all}, CAST(${i} * 4 + 1 AS BIGINT), 4), '0'), ''), '0')`)}, ':')`;
  const isMapped = duck`starts_with(${all}, '00000000000000000000ffff')`;
  const isCompatible = duck`starts_with(${all}, '000000000000000000000000') AND NOT starts_with(${all}, '0000000000000000000000000000')`;
  const dotted = duck`gsql_ipv4_text(right(${all}, 8))`;
  const shortened = withLocals([groups], (text) => {
    const runs = [8, 7, 6, 5, 4, 3, 2].map((length) => {
      const run = `(?:^|:)0(?::0){${length - 1}}(?::|$)`;
      return duck`WHEN regexp_matches(${text}, ${textLiteral(run)}) THEN regexp_replace(${text}, ${textLiteral(run)}, '::')`;
    });
    return duck`CASE ${joined(runs, ' ')} ELSE ${text} END`;
  });
  return duck`CASE WHEN ${isMapped} THEN '::ffff:' || ${dotted} WHEN ${isCompatible} THEN '::' || ${dotted} ELSE ${shortened} END`;
}

const toText: CallTranslator = (site) =>
  withLocals([duck`hex(${argument(site, 0)})`], (hex) => {
    const error = raise(
      duck`'NET.IP_TO_STRING() encountered an invalid IP address. Expected 4 (for IPv4) or 16 (for IPv6) bytes but got ' || length(${hex}) // 2`,
      site.type,
    );
    return duck`CASE WHEN ${hex} IS NULL THEN NULL WHEN length(${hex}) = 8 THEN gsql_ipv4_text(${hex}) WHEN length(${hex}) = 32 THEN ${ipv6Text(hex)} ELSE ${error} END`;
  });

const netMask: CallTranslator = (site) =>
  withLocals([argument(site, 0), argument(site, 1)], (length, bits) => {
    const wrongLength = raise(
      duck`'The first argument of NET.IP_NET_MASK() must be either 4 (for IPv4) or 16 (for IPv6); got ' || ${length}`,
      site.type,
    );
    const wrongBits = raise(
      duck`'The second argument of NET.IP_NET_MASK() must be between 0 and the first argument * 8; got ' || ${bits}`,
      site.type,
    );
    const digits = duck`repeat('f', ${bits} // 4) || substring('08ce', ${bits} % 4 + 1, 1)`;
    return duck`CASE WHEN ${length} IS NULL OR ${bits} IS NULL THEN NULL WHEN ${length} NOT IN (4, 16) THEN ${wrongLength} WHEN ${bits} NOT BETWEEN 0 AND ${length} * 8 THEN ${wrongBits} ELSE unhex(substring(rpad(${digits}, CAST(${length} * 2 + 1 AS INTEGER), '0'), 1, ${length} * 2)) END`;
  });

const truncate: CallTranslator = (site) =>
  withLocals([duck`hex(${argument(site, 0)})`, argument(site, 1)], (hex, bits) => {
    const wrongLength = raise(
      duck`'The first argument of NET.IP_TRUNC() must have length 4 (for IPv4) or 16 (for IPv6); got ' || length(${hex}) // 2`,
      site.type,
    );
    const wrongBits = raise(
      duck`'The second argument of NET.IP_TRUNC() must be between 0 and 8 * LENGTH(first argument); got ' || ${bits}`,
      site.type,
    );
    const digit = duck`strpos('0123456789ABCDEF', substring(${hex}, ${bits} // 4 + 1, 1)) - 1`;
    const partial = duck`CASE WHEN ${bits} % 4 = 0 THEN '' ELSE substring('0123456789ABCDEF', ((${digit}) & [0, 8, 12, 14][${bits} % 4 + 1]) + 1, 1) END`;
    const kept = duck`rpad(substring(${hex}, 1, ${bits} // 4) || ${partial}, CAST(length(${hex}) AS INTEGER), '0')`;
    return duck`CASE WHEN ${hex} IS NULL OR ${bits} IS NULL THEN NULL WHEN length(${hex}) NOT IN (8, 32) THEN ${wrongLength} WHEN ${bits} NOT BETWEEN 0 AND length(${hex}) * 4 THEN ${wrongBits} ELSE unhex(${kept}) END`;
  });

const fromInteger: CallTranslator = (site) =>
  withLocals([argument(site, 0)], (value) => {
    const error = raise(
      duck`'NET.IPV4_FROM_INT64() encountered an invalid integer IP. Expected range: [-0x80000000, 0xFFFFFFFF]; got ' || ${value}`,
      site.type,
    );
    const fits = duck`${value} BETWEEN -2147483648 AND 4294967295`;
    return duck`CASE WHEN ${value} IS NULL THEN NULL WHEN ${fits} THEN unhex(printf('%08x', ${value} & 4294967295)) ELSE ${error} END`;
  });

const toInteger: CallTranslator = (site) =>
  withLocals([duck`hex(${argument(site, 0)})`], (hex) => {
    const error = raise(
      duck`'NET.IPV4_TO_INT64() encountered a non-IPv4 address. Expected 4 bytes but got ' || length(${hex}) // 2`,
      site.type,
    );
    return duck`CASE WHEN ${hex} IS NULL THEN NULL WHEN length(${hex}) = 8 THEN CAST('0x' || ${hex} AS BIGINT) ELSE ${error} END`;
  });

/** IP addresses as bytes: https://cloud.google.com/bigquery/docs/reference/standard-sql/net_functions */
export const IP_ADDRESSES: CallTranslators = {
  'NET.IP_FROM_STRING': fromString,
  'NET.SAFE_IP_FROM_STRING': (site) => bytesOf(argument(site, 0)),
  'NET.IP_TO_STRING': toText,
  'NET.IP_NET_MASK': netMask,
  'NET.IP_TRUNC': truncate,
  'NET.IPV4_FROM_INT64': fromInteger,
  'NET.IPV4_TO_INT64': toInteger,
};

import { duck, textLiteral, word } from '../duck/sql.ts';
import { argument, type CallTranslator, type CallTranslators } from './call-site.ts';
import { withLocals } from './fragments.ts';

/** What stands before a host: a scheme and two slashes, either of which may be missing; backslashes count as slashes. */
const AUTHORITY = String.raw`^(?:(?:[^:/\\?#]*:)?[/\\]{2})?([^/\\?#]*)`;
/** An address in brackets has colons of its own. */
const BRACKETED = String.raw`^\[[^\]]*(?:\][^:]*)?`;

/** NET.HOST: the host as the text spells it, without user and port; NULL where there is none. */
const host: CallTranslator = (site) => {
  const spaces = word("' ' || chr(9) || chr(10) || chr(11) || chr(12) || chr(13)");
  const authority = duck`regexp_extract(trim(${argument(site, 0)}, ${spaces}), ${textLiteral(AUTHORITY)}, 1)`;
  return withLocals([duck`regexp_extract(${authority}, '[^@]*$')`], (place) => {
    const bracketed = duck`regexp_extract(${place}, ${textLiteral(BRACKETED)})`;
    const name = duck`CASE WHEN starts_with(${place}, '[') THEN ${bracketed} ELSE regexp_extract(${place}, '^[^:]*') END`;
    return duck`nullif(regexp_replace(regexp_replace(${name}, '^\\.+', ''), '\\.\\.+$', '.'), '')`;
  });
};

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/net_functions */
export const NETWORK: CallTranslators = {
  'NET.HOST': host,
  'NET.PUBLIC_SUFFIX': (site) => duck`gsql_public_suffix(${host(site)})`.refusing(),
  'NET.REG_DOMAIN': (site) => duck`gsql_reg_domain(${host(site)})`.refusing(),
};

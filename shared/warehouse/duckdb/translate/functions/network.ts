import { argument, type Emitter, type Emitters } from './emitter.ts';
import { bind } from './fragments.ts';

/** What stands before a host: a scheme and two slashes, either of which may be missing; backslashes count as slashes. */
const AUTHORITY = String.raw`^(?:(?:[^:/\\?#]*:)?[/\\]{2})?([^/\\?#]*)`;
/** An address in brackets has colons of its own. */
const BRACKETED = String.raw`^\[[^\]]*(?:\][^:]*)?`;

/** NET.HOST: the host as the text spells it, without user and port; NULL where there is none. */
const host: Emitter = (emission) => {
  const spaces = "' ' || chr(9) || chr(10) || chr(11) || chr(12) || chr(13)";
  const authority = `regexp_extract(trim(${argument(emission, 0)}, ${spaces}), '${AUTHORITY}', 1)`;
  return bind([`regexp_extract(${authority}, '[^@]*$')`], (place) => {
    const bracketed = `regexp_extract(${place}, '${BRACKETED}')`;
    const name = `CASE WHEN starts_with(${place}, '[') THEN ${bracketed} ELSE regexp_extract(${place}, '^[^:]*') END`;
    return `nullif(nullif(regexp_replace(${name}, '\\.\\.+$', '.'), '.'), '')`;
  });
};

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/net_functions */
export const NETWORK: Emitters = { 'NET.HOST': host };

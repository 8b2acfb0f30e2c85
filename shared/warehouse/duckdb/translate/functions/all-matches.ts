import { arrayOf, STRING } from '../../../../sql/types/sql-type.ts';
import { duck, EMPTY, type Sql } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { raiseText, textSql, withLocals } from './fragments.ts';
import type { RegexpStructure } from './regexp-structure.ts';

interface LiteralPattern {
  readonly text: string;
  /** SQL of the text. */
  readonly regexp: Sql;
  readonly structure: RegexpStructure;
}

/** What stands between characters: DuckDB finds some of these places twice. */
const BOUNDARIES = String.raw`\\[bB]|\(\?[a-zA-Z]*m`;

function boundaries(name: string): string {
  return `${name} with \\b, \\B or (?m) in a pattern that may match empty text`;
}

/** Whether DuckDB's last match is the empty one after the text's end, for which GoogleSQL does not look any more. */
function endsEmpty(all: Sql): Sql {
  return duck`len(${all}) > 1 AND ${all}[-1] = ''`;
}

/** All matches of a pattern, or of its one group, as GoogleSQL finds them. */
export function allMatches(value: Sql, { text, regexp, structure }: LiteralPattern, name: string): Sql {
  if (structure.isNeverEmpty) return duck`regexp_extract_all(${value}, ${regexp}, ${structure.groups})`;
  if (new RegExp(BOUNDARIES).test(text)) throw notSupported(boundaries(name));
  return withLocals([value], (searched) => {
    const whole = duck`regexp_extract_all(${searched}, ${regexp}, 0)`;
    return withLocals([duck`regexp_extract_all(${searched}, ${regexp}, ${structure.groups})`], (all) => {
      const isEmpty = structure.groups === 0 ? EMPTY : duck` AND ${whole}[-1] = ''`;
      return duck`CASE WHEN ${endsEmpty(all)}${isEmpty} THEN ${all}[:-2] ELSE ${all} END`;
    });
  });
}

/** The same for a pattern that is known only when it runs, and has no group. */
export function allDynamicMatches(text: Sql, regexp: Sql, name: string): Sql {
  return withLocals([duck`regexp_extract_all(${text}, ${regexp})`], (all) => {
    const unsure = raiseText(`not supported by the embedded engine: ${boundaries(name)}`, arrayOf(STRING));
    const shorter = duck`CASE WHEN regexp_matches(${regexp}, ${textSql(BOUNDARIES)}) THEN ${unsure} ELSE ${all}[:-2] END`;
    return duck`CASE WHEN ${endsEmpty(all)} THEN ${shorter} ELSE ${all} END`;
  });
}

import { escapePattern } from '../../../../re2/escape-pattern.ts';
import { bigint, duck, EMPTY, filtered, type Sql } from '../duck/sql.ts';
import { argument, type CallSite, type CallTranslator, literalValue } from './call-site.ts';
import { raiseText, refuseWhere, textSql, withLocals } from './fragments.ts';

/** Longest text of which each place is looked at by itself, in characters: the work grows with its square. */
const MAX_LOOKED_THROUGH = 10_000;
/** The most that is found of a text that overlaps itself, in characters. */
const MAX_OVERLAPPING = 400_000;
/** Longest literal that is sought by a regular expression, in characters. */
const MAX_SOUGHT = 500;

/**
 * INSTR: the nth place of one text in another, also of places that overlap; from a negative position the search goes
 * towards the start.
 */
export const instr: CallTranslator = (site) => {
  const [text, part] = [argument(site, 0), argument(site, 1)];
  if (site.sql.length === 2) return duck`strpos(${text}, ${part})`;
  const numbers = [argument(site, 2), site.sql[3] ?? bigint(1n)];
  const known = literalValue(site, 1);
  return withLocals([text, part, ...numbers], (whole = EMPTY, sought = EMPTY, from = EMPTY, nth = EMPTY) => {
    const error = (message: string) => raiseText(message, site.type);
    const place =
      typeof known === 'string' && known !== '' && known.length <= MAX_SOUGHT
        ? placeOfLiteral(whole, known, from, nth, site.type)
        : placeOfAny(whole, sought, from, nth, site.type);
    const next = duck`CASE WHEN ${from} > length(${whole}) THEN 0 ELSE strpos(substring(${whole}, ${from}), ${sought}) END`;
    const first = duck`CASE WHEN ${next} > 0 THEN ${next} + ${from} - 1 ELSE 0 END`;
    return duck`CASE WHEN ${whole} IS NULL OR ${sought} IS NULL OR ${from} IS NULL OR ${nth} IS NULL THEN NULL WHEN ${from} = 0 THEN ${error('Position must be non-zero')} WHEN ${nth} < 1 THEN ${error('Occurrence must be positive')} WHEN ${from} > 0 AND ${nth} = 1 AND ${sought} <> '' THEN ${first} ELSE coalesce(${place}, 0) END`;
  });
};

/** Where a literal stands: the text is read once, from one place to the next. */
function placeOfLiteral(whole: Sql, sought: string, from: Sql, nth: Sql, type: CallSite['type']): Sql {
  const overlaps = nearestOverlaps([...sought]);
  const size = [...sought].length;
  const last = duck`least(length(${whole}) + ${from} + 1, length(${whole}) - ${size} + 1)`;
  const searched = duck`CASE WHEN ${from} > length(${whole}) THEN '' WHEN ${from} > 0 THEN substring(${whole}, ${from}) WHEN ${last} < 1 THEN '' ELSE substring(${whole}, 1, ${last} + ${size} - 1) END`;
  const place = withLocals([searched, from, nth], (text, start, occurrence) =>
    withLocals(
      [duck`strpos(${text}, ${textSql(sought)})`, distances(text, sought, overlaps), start, occurrence],
      (first, all) => {
        const before = duck`CASE WHEN ${start} > 0 THEN ${occurrence} - 1 ELSE len(${all}) + 1 - ${occurrence} END`;
        const offset = duck`CASE WHEN ${start} > 0 THEN ${start} - 1 ELSE 0 END`;
        const place = duck`${offset} + ${first} + coalesce(list_sum(${all}[1:${before}]), 0)`;
        const isNone = duck`${first} = 0 OR ${before} < 0 OR ${before} > len(${all})`;
        return duck`CASE WHEN ${isNone} THEN 0 WHEN ${before} = 0 THEN ${offset} + ${first} ELSE CAST(${place} AS BIGINT) END`;
      },
    ),
  );
  if (overlaps.length === 0) return place;
  const message = `INSTR from the end or of a further occurrence, of text that overlaps itself, finds at most ${MAX_OVERLAPPING} characters of it`;
  const found = duck`length(${whole}) - length(replace(${whole}, ${textSql(sought)}, '')) > ${MAX_OVERLAPPING}`;
  const isLong = duck`CASE WHEN length(${whole}) > ${MAX_OVERLAPPING} THEN ${found} ELSE false END`;
  return refuseWhere(isLong, message, type, place);
}

/** How far each place after the first one lies from the one before it, in characters. */
function distances(text: Sql, sought: string, overlaps: readonly string[]): Sql {
  const size = [...sought].length;
  if (overlaps.length === 0) {
    const between = duck`string_split(${text}, ${textSql(sought)})`;
    return duck`list_transform(${between}[2:-2], lambda s: length(s) + ${size})`;
  }
  const steps = [...overlaps.map(escapePattern), `(?:.*?)${escapePattern(sought)}`];
  const rest = duck`substring(${text}, strpos(${text}, ${textSql(sought)}) + ${size})`;
  const found = duck`regexp_extract_all(${rest}, ${textSql(`(?s)(${steps.join('|')})|.+`)}, 1)`;
  return duck`list_transform(list_filter(${found}, lambda s: s <> ''), lambda s: length(s))`;
}

/**
 * What has to follow a text so that it stands again at a place that overlaps the first, nearest first. A distance that is
 * a multiple of a shorter one is left out: the text then stands at the shorter one as well.
 */
function nearestOverlaps(sought: readonly string[]): readonly string[] {
  const kept: number[] = [];
  for (let distance = 1; distance < sought.length; distance++) {
    const isOverlap = sought.slice(distance).every((character, index) => character === sought[index]);
    if (isOverlap && !kept.some((shorter) => distance % shorter === 0)) kept.push(distance);
  }
  return kept.map((distance) => sought.slice(-distance).join(''));
}

/** Where a text stands that is known only when the query runs. Empty text stands after the last character, too. */
function placeOfAny(whole: Sql, sought: Sql, from: Sql, nth: Sql, type: CallSite['type']): Sql {
  const last = duck`CASE WHEN ${from} < 0 THEN least(length(${whole}) + ${from} + CASE WHEN ${sought} = '' THEN 2 ELSE 1 END, length(${whole}) - length(${sought}) + 1) ELSE length(${whole}) - length(${sought}) + 1 END`;
  const places = filtered(
    duck`generate_series(greatest(${from}, 1), ${last})`,
    (place) => duck`substring(${whole}, ${place}, length(${sought})) = ${sought}`,
  );
  const place = duck`list_extract(${places}, CASE WHEN ${from} < 0 THEN -${nth} ELSE ${nth} END)`;
  const message = `INSTR from the end or of a further occurrence, of text that is not a literal of 1 to ${MAX_SOUGHT} characters, looks through at most ${MAX_LOOKED_THROUGH} characters`;
  return refuseWhere(duck`length(${whole}) > ${MAX_LOOKED_THROUGH}`, message, type, place);
}

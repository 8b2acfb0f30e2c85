import { duck, joined, type Sql, textLiteral } from '../duck/sql.ts';
import { argument, type CallSite, type CallTranslator, literalValue } from './call-site.ts';
import { duckType } from './duck-type.ts';
import { excerpt, raise, withLocals } from './fragments.ts';

type OptionValue = string | boolean;

/** An argument that chooses between ways to compute a call. */
interface Option {
  /** Its place; what lies beyond the call's arguments is left out. */
  readonly place: (site: CallSite) => number;
  /** The values that it may have. For any other, `compute` is given that of the call, which raises an error. */
  readonly values: readonly OptionValue[];
  /** The call's answer where the option is NULL. */
  readonly ofNull: (site: CallSite) => Sql;
}

/** The translator of a function with an option: a literal chooses while the query is compiled, any other expression in each row. */
export function byOption(
  { place, values, ofNull }: Option,
  compute: (site: CallSite, value: OptionValue) => Sql,
  other: (site: CallSite, value: Sql) => Sql = (site) => compute(site, values[0] ?? false),
): CallTranslator {
  return (site) => {
    const index = place(site);
    const expression = site.arguments[index];
    if (expression === undefined) return compute(site, values[0] ?? false);
    if (expression.kind === 'literal') {
      const value = literalValue(site, index);
      if (value === undefined) return ofNull(site);
      const known = values.find((one) => one === value);
      return known === undefined ? other(site, argument(site, index)) : compute(site, known);
    }
    return withLocals(site.sql, (...sql) => {
      const named = { ...site, sql };
      const option = argument(named, index);
      const cases = values.map((value) => {
        const isValue =
          typeof value === 'string'
            ? duck`${option} = ${textLiteral(value)}`
            : value
              ? option
              : duck`NOT ${option}`;
        return duck`WHEN ${isValue} THEN ${compute(named, value)}`;
      });
      const rest = typeof values[0] === 'string' ? duck` ELSE ${other(named, option)}` : duck``;
      return duck`CASE WHEN ${option} IS NULL THEN ${ofNull(named)} ${joined(cases, ' ')}${rest} END`;
    });
  };
}

/** NULL of a call's type. */
export const nullOf = ({ type }: CallSite): Sql => duck`CAST(NULL AS ${duckType(type)})`;

/** The translator of a function whose second argument is `wide_number_mode`. */
export function byWideNumberMode(compute: (site: CallSite, mode: OptionValue) => Sql): CallTranslator {
  return byOption({ place: () => 1, values: ['round', 'exact'], ofNull: nullOf }, compute, (site, mode) => {
    const error = raise(duck`'Invalid \`wide_number_mode\` specified: ' || ${excerpt(mode)}`, site.type);
    return duck`CASE WHEN ${argument(site, 0)} IS NOT NULL THEN ${error} END`;
  });
}

/** The place of an option by its distance from the last argument, which is 1. */
export const fromEnd =
  (distance: number) =>
  (site: CallSite): number =>
    site.sql.length - distance;

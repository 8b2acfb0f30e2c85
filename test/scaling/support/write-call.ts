import { BINARY_FUNCTIONS } from '../../../shared/sql/ast/operators.ts';
import type { Signature } from '../../../shared/sql/functions/signature.ts';

/** How each operator that is not written `a op b` is written. */
const OPERATORS: Readonly<Record<string, (list: readonly string[]) => string>> = {
  ...Object.fromEntries(Object.entries(BINARY_FUNCTIONS).map(([sign, name]) => [name, infix(sign)])),
  $UNARY_MINUS: ([a]) => `(- ${a})`,
  $BIT_NOT: ([a]) => `(~ ${a})`,
  $BETWEEN: ([a, b, c]) => `(${a} BETWEEN ${b} AND ${c})`,
  $IN: ([a, ...list]) => `(${a} IN (${list.length === 0 ? a : list.join(', ')}))`,
  $IN_ARRAY: ([a, b]) => `(${a} IN UNNEST(${b}))`,
  $LIKE_ANY: ([a, ...list]) => `(${a} LIKE ANY (${list.join(', ')}))`,
  $LIKE_ALL: ([a, ...list]) => `(${a} LIKE ALL (${list.join(', ')}))`,
  $LIKE_ANY_ARRAY: ([a, b]) => `(${a} LIKE ANY UNNEST(${b}))`,
  $LIKE_ALL_ARRAY: ([a, b]) => `(${a} LIKE ALL UNNEST(${b}))`,
  $NOT: ([a]) => `(NOT ${a})`,
  $AND: (list) => `(${list.join(' AND ')})`,
  $OR: (list) => `(${list.join(' OR ')})`,
  $IS_NULL: ([a]) => `(${a} IS NULL)`,
  $IS_TRUE: ([a]) => `(${a} IS TRUE)`,
  $IS_FALSE: ([a]) => `(${a} IS FALSE)`,
  $AT_OFFSET: ([a, b]) => `${a}[OFFSET(${b})]`,
  $AT_SAFE_OFFSET: ([a, b]) => `${a}[SAFE_OFFSET(${b})]`,
  $AT_ORDINAL: ([a, b]) => `${a}[ORDINAL(${b})]`,
  $AT_SAFE_ORDINAL: ([a, b]) => `${a}[SAFE_ORDINAL(${b})]`,
  $JSON_FIELD: ([a]) => `${a}.k1`,
  $JSON_AT: ([a, b]) => `${a}[${b}]`,
  $EXTRACT: ([part, value, zone]) =>
    `EXTRACT(${part} FROM ${value}${zone === undefined ? '' : ` AT TIME ZONE ${zone}`})`,
  $EXTRACT_DATE: ([value, zone]) =>
    `EXTRACT(DATE FROM ${value}${zone === undefined ? '' : ` AT TIME ZONE ${zone}`})`,
  $EXTRACT_DATETIME: ([value, zone]) =>
    `EXTRACT(DATETIME FROM ${value}${zone === undefined ? '' : ` AT TIME ZONE ${zone}`})`,
  $EXTRACT_TIME: ([value, zone]) =>
    `EXTRACT(TIME FROM ${value}${zone === undefined ? '' : ` AT TIME ZONE ${zone}`})`,
  ...Object.fromEntries(
    ['STRING', 'BYTES', 'DATE', 'DATETIME', 'TIME', 'TIMESTAMP'].map((type) => [
      `$CAST_TO_${type}`,
      castTo(type),
    ]),
  ),
  $INTERVAL: ([interval]) => `(${interval})`,
  $COUNT_STAR: () => 'COUNT(*)',
};

function castTo(type: string): (list: readonly string[]) => string {
  return ([value, format, zone]) =>
    `CAST(${value} AS ${type} FORMAT ${format}${zone === undefined ? '' : ` AT TIME ZONE ${zone}`})`;
}

function infix(operator: string): (list: readonly string[]) => string {
  return ([a, b]) => `(${a} ${operator} ${b})`;
}

/** A call with these arguments. */
export function writeCall(name: string, signature: Signature, list: readonly string[]): string {
  const named = list.map((value, index) => {
    const argument = signature.arguments[index];
    return argument?.name == null ? value : `${argument.name} => ${value}`;
  });
  const operator = OPERATORS[name];
  if (operator === undefined && name.startsWith('$')) throw new TypeError(`no way to write ${name}`);
  return operator?.(named) ?? `${name}(${named.join(', ')})`;
}

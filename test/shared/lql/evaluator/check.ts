import { type Clause, type FaultClass, type FieldTest, LqlFault, type Query } from './model.ts';
import { type Field, type Fields, fieldAt, type ScalarType } from './schema.ts';

const MAX_CLAUSES = 100;
const MAX_SELECTS = 50;

/**
 * The source that a query reads, once nothing is wrong with the query. Faults come in the order of the reference:
 * combinations, the source, then clause by clause.
 */
export function checkQuery(
  query: Query,
  schemas: Readonly<Record<string, Fields>>,
  defaultSource: string | null,
): string {
  checkCombinations(query);
  const named = query.find((clause) => clause.kind === 'from');
  const source = named?.source ?? defaultSource;
  if (source === null || !Object.hasOwn(schemas, source)) throw new LqlFault('unknown_source', `${source}`);
  const isChart = hasChart(query);
  const names = new Map<string, string>();
  for (const clause of query) {
    if (clause.kind === 'select' && isChart) continue;
    const fault = clauseFault(clause, schemas[source] ?? {});
    if (fault !== null) throw new LqlFault(fault, JSON.stringify(clause));
    if (clause.kind !== 'select' || clause.path === null) continue;
    const name = columnName(clause.path, clause.alias);
    const taken = [...names].some(([path, other]) => isSameName(other, name) && path !== clause.path);
    if (taken && !names.has(clause.path)) throw new LqlFault('unsupported', `two columns named ${name}`);
    if (!names.has(clause.path)) names.set(clause.path, name);
  }
  return source;
}

export function hasChart(query: Query): boolean {
  return query.some(({ kind }) => kind === 'aggregate' || kind === 'group');
}

export function columnName(path: string, alias: string | null): string {
  return alias ?? path.replaceAll('.', '_');
}

/** BigQuery cannot tell columns apart by the case of their letters. */
function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function checkCombinations(query: Query): void {
  const count = (kind: Clause['kind']) => query.filter((clause) => clause.kind === kind).length;
  if (query.length > MAX_CLAUSES || count('select') > MAX_SELECTS) {
    throw new LqlFault('unsupported', 'too many clauses');
  }
  for (const kind of ['from', 'aggregate', 'group'] as const) {
    if (count(kind) > 1) throw new LqlFault('unsupported', `only one ${kind}`);
  }
}

function clauseFault(clause: Clause, fields: Fields): FaultClass | null {
  switch (clause.kind) {
    case 'from':
    case 'group':
    case 'message':
      return null;
    case 'time':
      return clause.test.kind === 'this' && clause.test.unit === 'second' ? 'unsupported' : null;
    case 'levels': {
      const field = fieldAt(fields, 'metadata.level');
      if (field === null) return 'unknown_field';
      return field.kind === 'scalar' && field.type === 'STRING' ? null : 'unsupported';
    }
    case 'field': {
      const field = fieldAt(fields, clause.path);
      return field === null ? 'unknown_field' : testFault(clause.test, field);
    }
    case 'select': {
      if (clause.path === null) return null;
      const field = fieldAt(fields, clause.path);
      if (field === null) return 'unknown_field';
      return field.kind === 'record' && clause.path !== 'metadata' ? 'unsupported' : null;
    }
    case 'aggregate': {
      if (clause.path === null) return clause.name.startsWith('count') ? null : 'unsupported';
      const field = fieldAt(fields, clause.path);
      if (field === null) return 'unknown_field';
      if (field.kind !== 'scalar') return 'unsupported';
      const isNumber = field.type === 'INT64' || field.type === 'FLOAT64';
      return isNumber || clause.name.startsWith('count') ? null : 'unsupported';
    }
    default: {
      const unreachable: never = clause;
      throw new TypeError(`clause ${JSON.stringify(unreachable)}`);
    }
  }
}

function testFault(test: FieldTest, field: Field): FaultClass | null {
  if (field.kind === 'record') return 'unsupported';
  if (field.kind === 'list') return listFault(test, field.element);
  switch (test.kind) {
    case 'null':
      return null;
    case 'matches':
      return field.type === 'STRING' ? null : 'unsupported';
    case 'contains':
    case 'containsMatch':
      return 'unsupported';
    case 'between':
      if (field.type === 'BOOL') return 'unsupported';
      return fits(test.from, field.type) && fits(test.to, field.type) ? null : 'type';
    case 'compare':
      if (field.type === 'BOOL' && test.order !== ':') return 'unsupported';
      return fits(test.value, field.type) ? null : 'type';
    default: {
      const unreachable: never = test;
      throw new TypeError(`test ${JSON.stringify(unreachable)}`);
    }
  }
}

function listFault(test: FieldTest, element: ScalarType): FaultClass | null {
  if (test.kind === 'null') return null;
  if (test.kind === 'contains') return fits(test.value, element) ? null : 'type';
  return test.kind === 'containsMatch' && element === 'STRING' ? null : 'unsupported';
}

/** Whether a text can be read as a value of a type. */
function fits(text: string, type: ScalarType): boolean {
  switch (type) {
    case 'INT64':
      return /^-?[0-9]+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
    case 'FLOAT64':
      return /^-?[0-9]+(?:\.[0-9]+)?$/.test(text) && Number.isFinite(Number(text));
    case 'BOOL':
      return text === 'true' || text === 'false';
    default:
      return true;
  }
}

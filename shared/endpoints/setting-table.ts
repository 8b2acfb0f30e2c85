import type { z } from 'zod';

/** One setting of a file: what it may be, in code and in words. */
export interface FileSetting<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  /** What is accepted, in words that follow "it takes". */
  readonly accepts: string;
  /** What it does: a sentence without a stop, for the reference. */
  readonly means: string;
  /** What is accepted inside it, by the way there: `start`, `[]` for an element, `*` for any name. */
  readonly inner?: Readonly<Record<string, string>>;
}

/** The shape of a zod object with a table's settings. */
export function shapeOf<Table extends Readonly<Record<string, FileSetting>>>(
  table: Table,
): { readonly [Name in keyof Table]: Table[Name]['schema'] } {
  const schemas = Object.entries(table).map(([name, { schema }]) => [name, schema]);
  // Each entry is one of the table's, under its own name.
  return Object.fromEntries(schemas) as { readonly [Name in keyof Table]: Table[Name]['schema'] };
}

/** A check of several settings together runs where each of them is right by itself, whatever else is wrong. */
export function whenValid(...names: readonly string[]) {
  return ({
    value,
    issues,
  }: {
    readonly value: unknown;
    readonly issues: readonly { readonly path?: PropertyKey[] | undefined }[];
  }) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !issues.some(({ path }) => names.includes(String(path?.[0])));
}

/** What a table's setting accepts at a path into the file; undefined where the table has no such setting. */
export function acceptedAt(
  table: Readonly<Record<string, FileSetting>>,
  [name, ...rest]: readonly PropertyKey[],
): string | undefined {
  const setting = Object.hasOwn(table, String(name)) ? table[String(name)] : undefined;
  if (setting === undefined || rest.length === 0) return setting?.accepts;
  const { inner = {}, accepts } = setting;
  const ways = Object.keys(inner).filter((way) => leadsTo(way.split('.'), rest));
  return ways.length === 0 ? accepts : inner[ways[0] ?? ''];
}

function leadsTo(way: readonly string[], path: readonly PropertyKey[]): boolean {
  return (
    way.length === path.length &&
    way.every((step, index) => {
      const at = path[index];
      return step === '*' || (step === '[]' ? typeof at === 'number' : step === at);
    })
  );
}

import fc from 'fast-check';
import type { TableSchemas } from '../../../../../../shared/schema/table-schema.ts';
import { check, checkText, type Forms, type Verdict } from './check.ts';
import { Choices } from './choices.ts';
import { extendedForms, liveForm, loadedForm, type MadeLogs, nestedForm } from './forms.ts';
import { extendedEntry, madeEntry } from './made-entries.ts';
import { madeQuery } from './made-query.ts';
import { madeSchema } from './made-schema.ts';
import { madeText } from './made-text.ts';
import { rowType } from './types.ts';

/** The decisions that logs and queries over them are made by. */
export interface LayoutCase {
  /** Of each source's schema. */
  readonly schemas: readonly (readonly number[])[];
  /** Of each entry; they are dealt to the sources in turn. */
  readonly entries: readonly (readonly number[])[];
  readonly queries: readonly (readonly number[])[];
}

const decisions = (most: number) =>
  fc.array(fc.noBias(fc.nat({ max: 9_999 })), { maxLength: most, size: 'max' });

export const layoutCase = (queries: number): fc.Arbitrary<LayoutCase> =>
  fc.record({
    schemas: fc.array(decisions(60), { minLength: 1, maxLength: 2 }),
    entries: fc.array(decisions(120), { maxLength: 12, size: 'max' }),
    queries: fc.array(decisions(120), { minLength: 1, maxLength: queries, size: 'max' }),
  });

/** Makes the logs in both forms, and checks every query. Answers a verdict for each. */
export async function checkCase(made: LayoutCase): Promise<readonly Verdict[]> {
  const logs = madeLogs(made);
  const isExtended = hasFurtherFields(made);
  const forms = isExtended ? await extendedForms(logs) : await bothForms(logs, arriveLive(made));
  const { schemas } = forms.loaded;
  const tables = [...schemas].map(([name, schema]) => ({ name, columns: rowType(schema).fields }));
  const rows = new Map([...logs.entries].map(([name, entries]) => [name, entries.map(({ row }) => row)]));
  try {
    const verdicts: Verdict[] = [];
    for (const numbers of made.queries) {
      const choices = new Choices(numbers);
      const isText = choices.chance(50) || isExtended;
      verdicts.push(
        isText
          ? await checkText(madeText(choices, tables), forms)
          : await check(madeQuery(choices, tables), forms, rows),
      );
    }
    return verdicts;
  } finally {
    await forms.nested.close();
    await forms.loaded.close();
  }
}

async function bothForms(logs: MadeLogs, areLive: boolean): Promise<Forms> {
  const nested = await nestedForm(logs);
  try {
    return { nested, loaded: await (areLive ? liveForm(logs) : loadedForm(logs)) };
  } catch (error) {
    await nested.close();
    throw error;
  }
}

/** Whether most of the entries arrive when the store is open. */
function arriveLive({ schemas }: LayoutCase): boolean {
  return (schemas[0]?.[0] ?? 0) % 4 === 2;
}

/** Whether the entries have fields that the schemas lack; the evaluation knows nothing of these. */
function hasFurtherFields({ schemas }: LayoutCase): boolean {
  return (schemas[0]?.[0] ?? 0) % 4 === 3;
}

function madeLogs({ schemas: numbers, entries }: LayoutCase): MadeLogs {
  const schemas: TableSchemas = new Map(
    numbers.map((one, index) => [`source_${index}`, madeSchema(new Choices(one))]),
  );
  return {
    schemas,
    entries: new Map(
      [...schemas].map(([source, schema], at) => [
        source,
        entries
          .filter((_, index) => index % schemas.size === at)
          .map((one, index) => madeEntry(new Choices(one), schema, index)),
      ]),
    ),
  };
}

/** What a failing case is about, for the message. */
export function describeCase(made: LayoutCase): string {
  const { schemas, entries } = madeLogs(made);
  return [...schemas]
    .map(([source, schema]) => {
      const found = entries.get(source) ?? [];
      const lines = (hasFurtherFields(made) ? found.map(extendedEntry) : found).map(
        ({ line }) => `  ${line}`,
      );
      return [`${source} ${JSON.stringify(schema)}`, ...lines].join('\n');
    })
    .join('\n');
}

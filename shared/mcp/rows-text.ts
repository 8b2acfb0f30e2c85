import type { QueryResult } from '../../client/client.d.ts';

type Row = Readonly<Record<string, unknown>>;

/** Most characters of rows in one answer, which an agent has to hold in its context. */
export const MAX_ROWS_CHARACTERS = 40_000;
/** Most characters of one text in a row that is too long by itself. */
const MAX_TEXT_CHARACTERS = 1_000;

/**
 * A result as JSON for an agent: `rows`, `row_count` as the service counted them, and notes on all that it does not
 * show. Fields of nested records that are NULL or empty are left out. Rows that would exceed `maxCharacters` are left out from the end; if the first alone does, its long texts are cut.
 */
export function rowsText(
  { rows, facts, next }: QueryResult<Row>,
  maxCharacters = MAX_ROWS_CHARACTERS,
): string {
  const shown: string[] = [];
  let characters = 0;
  const notes: string[] = [];
  for (const row of rows) {
    let text = JSON.stringify(row, withoutEmptyFields);
    if (characters === 0 && text.length > maxCharacters) {
      text = JSON.stringify(row, (_, value: unknown) => cutText(withoutEmptyFields('', value)));
      notes.push(
        `Texts of more than ${MAX_TEXT_CHARACTERS} characters are cut; select fewer columns to read them whole.`,
      );
    }
    if (characters > 0 && characters + text.length > maxCharacters) break;
    shown.push(text);
    characters += text.length;
    if (characters > maxCharacters) break;
  }
  if (shown.length < rows.length) {
    notes.push(
      `Only the first ${shown.length} of ${rows.length} rows are shown, because of their size. Select fewer columns, aggregate, or use LIMIT.`,
    );
  }
  if (facts.truncated || next !== null) {
    notes.push(
      'There are more rows than one answer may hold. Narrow the time range, aggregate, or use LIMIT.',
    );
  }
  if (facts.ignoredParameters.length > 0) {
    notes.push(
      `The endpoint has no such parameter, so it was ignored: ${facts.ignoredParameters.join(', ')}.`,
    );
  }
  if (facts.hint !== null) notes.push(facts.hint);
  const about = {
    row_count: facts.rowCount ?? rows.length,
    ...(facts.timeWindow === null ? {} : { time_window: facts.timeWindow }),
    ...(notes.length === 0 ? {} : { notes }),
  };
  return `{${JSON.stringify(about).slice(1, -1)},"rows":[${shown.join(',\n')}]}`;
}

/** Nested records without their fields that are NULL or empty: most records fill few of their fields. */
function withoutEmptyFields(_: string, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((element: unknown) => {
    if (typeof element !== 'object' || element === null) return element;
    const fields = Object.entries(element).filter(([, field]) => !isEmpty(field));
    return Object.fromEntries(fields);
  });
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

function cutText(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= MAX_TEXT_CHARACTERS) return value;
  return `${value.slice(0, MAX_TEXT_CHARACTERS)}…`;
}

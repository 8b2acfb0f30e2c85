import type { Token } from '../lexer/token.ts';
import { sqlError } from '../text/sql-error.ts';

/** Statements that are no queries; the list serves the message only, as nothing but a query parses. */
const OTHER_STATEMENTS: ReadonlySet<string> = new Set(
  `ALTER ANALYZE ASSERT BEGIN CALL CLONE COMMIT CREATE DECLARE DEFINE DELETE DESCRIBE DROP EXECUTE EXPLAIN EXPORT FOR
  GRANT IF IMPORT INSERT LOAD LOOP MERGE RAISE RENAME REPEAT REVOKE ROLLBACK SET SHOW TRUNCATE UNDROP UPDATE
  WHILE`.split(/\s+/),
);

/**
 * Characters beyond ASCII that Unicode folds to ASCII letters: K (Kelvin sign) to k, İ to i. GoogleSQL's names fold by
 * ASCII, so these could make two names out of one.
 */
const FOLDS_TO_ASCII = /[\u0130\u212a]/;

const MESSAGES: Readonly<Record<string, string>> = {
  '@{': 'Hints are not allowed',
  '@': 'Hints are not allowed',
  '@@': 'System variables (@@name) are not allowed',
  '?': 'Positional parameters are not allowed; use @name',
};

/**
 * Refuses what no consumer's query may hold, whatever its grammar: hints, system variables, positional parameters,
 * names in backquotes that could be read as paths, a second statement, and the names of `forbiddenNames` (lower case),
 * without which no table of the warehouse can be spelled. Throws a ServiceError (invalid_argument) with the place.
 */
export function checkTokens(
  text: string,
  tokens: readonly Token[],
  forbiddenNames: ReadonlySet<string>,
): void {
  checkStatement(text, tokens);
  for (const token of tokens) {
    const complaint = complaintAbout(token, forbiddenNames);
    if (complaint !== null) throw sqlError(text, token.at, complaint);
  }
}

/** One query, at most one semicolon, and that at the end. */
function checkStatement(text: string, tokens: readonly Token[]): void {
  const [first] = tokens;
  const word = first?.kind === 'name' ? first.value.toUpperCase() : '';
  if (first !== undefined && OTHER_STATEMENTS.has(word)) {
    throw sqlError(
      text,
      first.at,
      `${word} is not allowed; only a query that begins with SELECT, WITH or FROM is`,
    );
  }
  const semicolon = tokens.findIndex(({ kind, value }) => kind === 'symbol' && value === ';');
  const behind = semicolon < 0 ? undefined : tokens[semicolon + 1];
  if (behind !== undefined && behind.kind !== 'end') {
    throw sqlError(text, behind.at, 'Only one statement is allowed; nothing may follow the semicolon');
  }
}

function complaintAbout({ kind, value }: Token, forbiddenNames: ReadonlySet<string>): string | null {
  switch (kind) {
    case 'system':
      return MESSAGES['@@'] ?? null;
    case 'symbol':
      return MESSAGES[value] ?? null;
    case 'quoted':
    case 'parameter':
      return complaintAboutName(value, forbiddenNames);
    case 'name':
      return forbiddenNames.has(value.toLowerCase()) ? unusable(value) : null;
    default:
      return null;
  }
}

function complaintAboutName(name: string, forbiddenNames: ReadonlySet<string>): string | null {
  if (name.includes('.'))
    return 'A dot in backquotes is not allowed; put each name of a path in backquotes of its own';
  if (name.includes('\0')) return 'The character U+0000 is not allowed in a name';
  if (FOLDS_TO_ASCII.test(name)) return 'The characters U+0130 and U+212A are not allowed in a name';
  return forbiddenNames.has(name.toLowerCase()) ? unusable(name) : null;
}

function unusable(name: string): string {
  return `The name ${name} cannot be used in a query; choose another`;
}

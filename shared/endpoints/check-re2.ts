/**
 * Most instructions that a compiled expression may have. Nested counts such as `(x{1000})` grow a short text
 * into a program that takes the engine seconds to match, so the grown size is what is limited.
 */
const MAX_PROGRAM_SIZE = 10_000;

/** Text without any operator but the dot is always valid: most callers give a plain name, which then costs nothing. */
const PLAIN = /^[\w .:/-]*$/;

/** What is wrong with a regular expression in RE2 syntax, or undefined when it is valid. */
export async function checkRe2(pattern: string): Promise<string | undefined> {
  if (PLAIN.test(pattern)) return undefined;
  const { RE2JS, RE2JSException, RE2JSSyntaxException } = await import('re2js');
  try {
    const size = RE2JS.compile(pattern).programSize();
    if (size <= MAX_PROGRAM_SIZE) return undefined;
    return 'it is too large once its counted repetitions are written out';
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    if (!(error instanceof RE2JSSyntaxException)) return 'it cannot be compiled';
    const at = error.getPattern();
    return at === null || at === '' ? error.getDescription() : `${error.getDescription()} at '${at}'`;
  }
}

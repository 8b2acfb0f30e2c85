import type { Completes } from '../commands/command.ts';

/** Possible completions of a value: words, paths, or none. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' }
  | { readonly kind: 'folders' }
  | { readonly kind: 'free' };

/** The values of an option or operand, with the names that endpoints have. */
export function valuesOf(
  { choices, completes }: { readonly choices?: readonly string[]; readonly completes?: Completes },
  endpoints: readonly string[],
): Values {
  if (choices !== undefined) return { kind: 'words', words: choices };
  switch (completes) {
    case 'endpoint':
      return { kind: 'words', words: endpoints };
    case 'file':
      return { kind: 'files' };
    case 'folder':
      return { kind: 'folders' };
    case undefined:
      return { kind: 'free' };
    default: {
      const unreachable: never = completes;
      throw new TypeError(`completes ${unreachable}`);
    }
  }
}

/** Text as one word of a shell that takes everything between apostrophes as it is: bash and zsh. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The same for fish, where a backslash escapes inside of apostrophes. */
export function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** Text as one word of a shell that takes everything between apostrophes as it is: bash and zsh. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The same for fish, where a backslash escapes inside of apostrophes. */
export function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

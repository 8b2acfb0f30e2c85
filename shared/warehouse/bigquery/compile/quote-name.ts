/** A name in backquotes, which GoogleSQL takes for nothing else. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll(/[\\`]/g, '\\$&')}\``;
}

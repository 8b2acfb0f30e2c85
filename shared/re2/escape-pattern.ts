/** A regular expression that matches the text and nothing else; each of RE2's marks gets a backslash. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}

/** Text without operators; the dot is one, but a few of them cost nothing. */
const PLAIN = /^(?:[\w :/-]*|[\w .:/-]{1,1000})$/;

/** Whether a text is a regular expression that is valid and small at first sight. Most are. */
export function isPlainRe2(pattern: string): boolean {
  return PLAIN.test(pattern);
}

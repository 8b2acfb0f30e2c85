const BACKSLASH = 0x5c;

/** The place after the closing quote of the string that begins at `at` in a JSON text; -1 where it does not end. */
export function stringEnd(json: string, at: number): number {
  let close = json.indexOf('"', at + 1);
  while (close !== -1 && isEscaped(json, close)) close = json.indexOf('"', close + 1);
  return close === -1 ? -1 : close + 1;
}

/** An odd number of backslashes stands before this place. */
function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

/** The first place from `at` on that holds no white space of JSON (RFC 8259). */
export function skipSpace(json: string, at: number): number {
  let next = at;
  while (json[next] === ' ' || json[next] === '\n' || json[next] === '\r' || json[next] === '\t') next++;
  return next;
}

/**
 * A command that asks the same in a POSIX shell. The token is not in it: the shell takes it from LQE_TOKEN.
 *
 * @param {string} baseUrl With a slash at its end.
 * @param {string} endpoint
 * @param {Readonly<Record<string, string>>} values The parameters, the query included.
 */
export function toCurl(baseUrl, endpoint, values) {
  const url = `${baseUrl}api/endpoints/query/${encodeURIComponent(endpoint)}`;
  const data = Object.entries(values)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`);
  return [`curl -sS -G ${quote(url)}`, '-H "X-API-KEY: $LQE_TOKEN"', ...data].join(' \\\n  ');
}

/** @param {string} text */
function quote(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

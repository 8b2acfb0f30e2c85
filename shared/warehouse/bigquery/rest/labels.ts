/** The most labels that a job may have. */
const MAX_LABELS = 64;
const MAX_LENGTH = 63;

/**
 * Labels in the spelling that BigQuery takes: lower case, digits, `_` and `-`, at most 63 characters, keys beginning
 * with a letter. What cannot be a key is left out.
 */
export function jobLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(labels).map(([key, value]) => [spelled(key), spelled(value)] as const);
  return Object.fromEntries(entries.filter(([key]) => /^[a-z]/.test(key)).slice(0, MAX_LABELS));
}

function spelled(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, '_')
    .slice(0, MAX_LENGTH);
}

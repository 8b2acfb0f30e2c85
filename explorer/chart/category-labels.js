import { seriesSeverity } from '../severity/severity.js';

/** A category's name in so many characters. @param {string} category @param {number} most */
export function clipLabel(category, most) {
  return category.length > most ? `${category.slice(0, most - 1)}…` : category;
}

/** What a category says of severity where it is a level or a status code, and nothing else. @param {string} category */
export function severityOfCategory(category) {
  return /^(?:[1-5]\d\d|[1-5]xx|fatal|panic|critical|error|warning|warn|info|debug|failed)$/i.test(category)
    ? seriesSeverity(category)
    : null;
}

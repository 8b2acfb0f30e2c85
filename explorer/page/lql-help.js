import { byId, element } from './elements.js';

/** @type {readonly (readonly [string, string])[]} */
const FORMS = [
  ['f:edge_logs', 'Entries of a source'],
  ['timeout', 'The message contains a word; "a phrase" in quotes'],
  ['~"time(d )?out"', 'The message matches a regular expression (RE2)'],
  ['m.response.status_code:500', 'A field has a value; also :> :>= :< :<='],
  ['m.response.status_code:400..499', 'From one value to another'],
  ['m.request.path:~"^/auth"', 'A field matches a regular expression'],
  ['m.error:NULL', 'A field has no value'],
  ['-m.request.method:GET', 'All but these'],
  ['t:last@15m', 'The last 15 minutes; also t:today, t:>=2026-01-31T12:00:00Z'],
  ['s:m.request.path', 'Only this column; s:path@name gives it a name'],
  ['c:count(*) c:group_by(t::minute)', 'A chart: entries a minute; also avg, sum, max, p50, p95, p99'],
];

/** What LQL can say, on one screen. */
export function makeLqlHelp() {
  const dialog = byId('lql-dialog', HTMLDialogElement);
  byId('lql-forms', HTMLElement).append(
    ...FORMS.flatMap(([form, what]) => [
      element('dt', {}, element('code', {}, form)),
      element('dd', {}, what),
    ]),
  );
  byId('lql-close', HTMLButtonElement).addEventListener('click', () => dialog.close());
  byId('lql-help', HTMLButtonElement).addEventListener('click', () => dialog.open || dialog.showModal());
}

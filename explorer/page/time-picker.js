import { readChoice, saveChoice } from '../state/session.js';
import { inputValue, parseInput } from '../time/format-time.js';
import { between, formatSpan, formatWindow, PRESETS, parseSpan, windowRange } from '../time/window.js';
import { byId, option } from './elements.js';

/** @import { Zone } from '../time/format-time.js' */
/** @import { TimeWindow } from '../time/window.js' */

const CUSTOM = 'custom';
const RELATIVE = 'relative';
const NEWEST = 'newest';

/**
 * The controls of the window: one of the usual spans, any span, from one time to another, or up to the newest entry; and the zone of
 * all times.
 *
 * @param {{ readonly nowMs: () => number, readonly submit: () => void, readonly newest: () => void, readonly zoneChanged: () => void }} page
 */
export function makeTimePicker(page) {
  const preset = byId('preset', HTMLSelectElement);
  const custom = byId('custom', HTMLSpanElement);
  const relative = byId('relative', HTMLLabelElement);
  const last = byId('last', HTMLInputElement);
  const [from, to] = [byId('from', HTMLInputElement), byId('to', HTMLInputElement)];
  const zones = byId('zone', HTMLSelectElement);
  /** @type {TimeWindow} */
  let window = { kind: 'last', seconds: 3600 };

  zones.append(option('utc', 'UTC'), option('local', localZone()));
  zones.value = readChoice('zone') === 'local' ? 'local' : 'utc';
  const zone = () => /** @type {Zone} */ (zones.value);

  function showWindow() {
    const [[, text = ''] = []] = formatWindow(window);
    const known = window.kind === 'between' ? CUSTOM : text;
    const span =
      window.kind === 'last' ? [[formatSpan(window.seconds), `Last ${formatSpan(window.seconds)}`]] : [];
    const offered = [
      ...PRESETS,
      ...span.filter(([value]) => !PRESETS.some(([one]) => one === value)),
      ['all', 'All time'],
      [RELATIVE, 'Last …'],
      [CUSTOM, 'From … to …'],
      [NEWEST, 'Around the newest entry'],
    ];
    preset.replaceChildren(...offered.map(([value = '', label = '']) => option(value, label)));
    preset.value = known;
    custom.hidden = window.kind !== 'between';
    relative.hidden = true;
    if (window.kind !== 'between') return;
    from.value = inputValue(window.startMs, zone());
    to.value = inputValue(window.endMs, zone());
  }

  preset.addEventListener('change', () => {
    if (preset.value === NEWEST) {
      showWindow();
      page.newest();
      return;
    }
    if (preset.value === RELATIVE) {
      custom.hidden = true;
      relative.hidden = false;
      last.value = window.kind === 'last' ? formatSpan(window.seconds) : '1h';
      last.focus();
      last.select();
      return;
    }
    if (preset.value === CUSTOM) {
      const range =
        windowRange(window, page.nowMs()) ?? windowRange({ kind: 'last', seconds: 3600 }, page.nowMs());
      window =
        between(
          Math.floor((range?.startMs ?? 0) / 1000) * 1000,
          Math.ceil((range?.endMs ?? 0) / 1000) * 1000,
        ) ?? window;
      showWindow();
      from.focus();
      return;
    }
    window =
      preset.value === 'all' ? { kind: 'all' } : { kind: 'last', seconds: parseSpan(preset.value) ?? 3600 };
    showWindow();
    page.submit();
  });
  for (const input of [from, to]) {
    input.addEventListener('change', () => {
      const chosen = between(parseInput(from.value, zone()), parseInput(to.value, zone()));
      const isWritten = !Number.isNaN(parseInput(input.value, zone()));
      input.setCustomValidity(isWritten ? '' : 'Write the time as 2026-01-31 14:05:00, in 24 hours.');
      if (isWritten) to.setCustomValidity(chosen === null ? 'The end must be later than the start.' : '');
      if (!isWritten) input.reportValidity();
      else if (chosen === null) to.reportValidity();
      else window = chosen;
    });
  }
  last.addEventListener('change', () => {
    const seconds = parseSpan(last.value.trim());
    last.setCustomValidity(seconds === null ? 'Write a number and s, m, h or d, such as 45m.' : '');
    if (seconds === null) last.reportValidity();
    else window = { kind: 'last', seconds };
  });
  for (const input of [from, to, last]) input.addEventListener('input', () => input.setCustomValidity(''));
  zones.addEventListener('change', () => {
    saveChoice('zone', zones.value);
    showWindow();
    page.zoneChanged();
  });

  return {
    zone,
    read: () => window,
    /** @param {TimeWindow} next */
    show(next) {
      window = next;
      showWindow();
    },
  };
}

function localZone() {
  return `local (${Intl.DateTimeFormat().resolvedOptions().timeZone})`;
}

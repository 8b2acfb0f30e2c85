import { readChoice, readProjects, saveChoice } from '../state/session.js';
import { inputValue, parseInput } from '../time/format-time.js';
import { between, formatSpan, formatWindow, PRESETS, parseSpan, windowRange } from '../time/window.js';
import { byId, element } from './elements.js';
import { askedParameters, takesWindow } from './request.js';

/** @import { Catalogue, EndpointEntry, ParameterEntry } from '../editor/vocabulary.js' */
/** @import { Question } from '../state/location.js' */
/** @import { Zone } from '../time/format-time.js' */
/** @import { TimeWindow } from '../time/window.js' */
/** @typedef {Pick<Question, 'endpoint' | 'parameters' | 'window'>} Target */

const CUSTOM = 'custom';
const RELATIVE = 'relative';
const NEWEST = 'newest';

/**
 * The controls above the query: which endpoint is asked, about what, and when.
 *
 * @param {{ readonly nowMs: () => number, readonly submit: () => void, readonly newest: () => void, readonly endpointChanged: () => void, readonly zoneChanged: () => void }} page
 */
export function makeRequestForm(page) {
  const endpoints = byId('endpoint', HTMLSelectElement);
  const fields = byId('parameters', HTMLDivElement);
  const preset = byId('preset', HTMLSelectElement);
  const custom = byId('custom', HTMLSpanElement);
  const relative = byId('relative', HTMLLabelElement);
  const last = byId('last', HTMLInputElement);
  const [from, to] = [byId('from', HTMLInputElement), byId('to', HTMLInputElement)];
  const zones = byId('zone', HTMLSelectElement);
  /** @type {Catalogue | null} */
  let catalogue = null;
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

  /** @param {EndpointEntry} endpoint @param {Readonly<Record<string, string>>} values */
  function showParameters(endpoint, values) {
    const controls = askedParameters(endpoint).map((parameter) =>
      parameterField(
        parameter,
        values[parameter.name],
        parameter.name === endpoint.projectParameter ? { limitedTo: catalogue?.projects ?? null } : null,
      ),
    );
    fields.replaceChildren(...controls);
    byId('window', HTMLFieldSetElement).hidden = !takesWindow(endpoint);
  }

  const current = () => catalogue?.endpoints.find(({ name }) => name === endpoints.value) ?? null;
  const values = () =>
    Object.fromEntries([...controlsIn(fields)].map((control) => [control.name, control.value.trim()]));

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
  endpoints.addEventListener('change', () => {
    const endpoint = current();
    if (endpoint !== null) showParameters(endpoint, values());
    page.endpointChanged();
  });
  fields.addEventListener('change', ({ target }) => target instanceof HTMLSelectElement && page.submit());
  zones.addEventListener('change', () => {
    saveChoice('zone', zones.value);
    showWindow();
    page.zoneChanged();
  });
  byId('request', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    page.submit();
  });
  // Chromium submits a form with Enter only where it has one field or a button; this one has neither for sure.
  byId('request', HTMLFormElement).addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.isComposing || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    event.target.dispatchEvent(new Event('change', { bubbles: true }));
    page.submit();
  });

  return {
    endpoint: current,
    zone,
    /** @returns {Target} */
    read: () => ({ endpoint: endpoints.value, parameters: values(), window }),
    /** @param {Catalogue} offered @param {Target} target */
    show(offered, target) {
      catalogue = offered;
      byId('request', HTMLFormElement).inert = false;
      endpoints.replaceChildren(
        ...offered.endpoints.map(({ name, description }) =>
          element('option', { value: name, title: description }, name),
        ),
      );
      endpoints.value = target.endpoint;
      if (endpoints.selectedIndex < 0) endpoints.selectedIndex = 0;
      window = target.window;
      const endpoint = current();
      if (endpoint !== null) showParameters(endpoint, target.parameters);
      showWindow();
    },
    /** @param {TimeWindow} next */
    setWindow(next) {
      window = next;
      showWindow();
    },
    /** Marks the control of a parameter that is wrong; null takes the mark away. @param {string | null} parameter */
    markInvalid(parameter) {
      for (const control of controlsIn(fields)) {
        const isWrong = control.name === parameter;
        control.setAttribute('aria-invalid', String(isWrong));
        if (isWrong) control.focus();
      }
    },
  };
}

/** @param {HTMLElement} fields */
function controlsIn(fields) {
  return /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ (
    fields.querySelectorAll('input, select')
  );
}

/**
 * @param {ParameterEntry} parameter
 * @param {string | undefined} value
 * @param {{ readonly limitedTo: readonly string[] | null } | null} project Of the parameter that is the project: those that the token is limited to.
 */
function parameterField({ name, allowed, required, example, description }, value, project) {
  const label = element('span', {}, name.replaceAll('_', ' '));
  const attributes = { name, required, title: description, 'aria-invalid': 'false' };
  const isProject = project !== null;
  const choices = allowed ?? project?.limitedTo ?? null;
  if (choices !== null) {
    const select = element('select', attributes, ...choices.map((one) => option(one, one)));
    if (value !== undefined && choices.includes(value)) select.value = value;
    return element('label', { class: 'field' }, label, ' ', select);
  }
  const known = isProject ? readProjects() : [];
  const input = element('input', {
    ...attributes,
    type: 'text',
    placeholder: example,
    autocomplete: 'off',
    spellcheck: 'false',
    list: isProject && 'projects',
    maxlength: 4096,
  });
  input.value = value ?? known[0] ?? '';
  const list = isProject && element('datalist', { id: 'projects' }, ...known.map((one) => option(one, one)));
  return element('label', { class: 'field' }, label, ' ', input, list);
}

/** @param {string} value @param {string} label */
function option(value, label) {
  return element('option', { value }, label);
}

function localZone() {
  return `local (${Intl.DateTimeFormat().resolvedOptions().timeZone})`;
}

import { byId, element } from './elements.js';
import { controlsIn, parameterField } from './parameter-fields.js';
import { askedParameters, takesWindow } from './request.js';
import { makeTimePicker } from './time-picker.js';

/** @import { Catalogue, EndpointEntry } from '../editor/vocabulary.js' */
/** @import { Question } from '../state/location.js' */
/** @typedef {Pick<Question, 'endpoint' | 'parameters' | 'window'>} Target */

/**
 * The controls above the query: which endpoint is asked, about what, and when.
 *
 * @param {{ readonly nowMs: () => number, readonly submit: () => void, readonly newest: () => void, readonly endpointChanged: () => void, readonly zoneChanged: () => void }} page
 */
export function makeRequestForm(page) {
  const endpoints = byId('endpoint', HTMLSelectElement);
  const fields = byId('parameters', HTMLDivElement);
  const time = makeTimePicker(page);
  /** @type {Catalogue | null} */
  let catalogue = null;

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

  endpoints.addEventListener('change', () => {
    const endpoint = current();
    if (endpoint !== null) showParameters(endpoint, values());
    page.endpointChanged();
  });
  fields.addEventListener('change', ({ target }) => target instanceof HTMLSelectElement && page.submit());
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
    zone: time.zone,
    /** @returns {Target} */
    read: () => ({ endpoint: endpoints.value, parameters: values(), window: time.read() }),
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
      const endpoint = current();
      if (endpoint !== null) showParameters(endpoint, target.parameters);
      time.show(target.window);
    },
    setWindow: time.show,
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

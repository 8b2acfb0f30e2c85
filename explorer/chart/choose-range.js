/** Bars from one to another. @typedef {[number, number]} BarRange */

/**
 * Has the pointer choose bars: pressing takes one, dragging more of them. Scrolling the page with a finger chooses none.
 *
 * @param {HTMLElement} field
 * @param {SVGSVGElement} drawing
 * @param {(x: number) => number} indexAt
 * @param {(range: BarRange | null) => void} show
 * @param {() => void} finish
 */
export function followPointer(field, drawing, indexAt, show, finish) {
  /** @type {number | null} */
  let pressedAt = null;
  let hasChosen = false;
  const x = (/** @type {PointerEvent} */ event) => event.clientX - drawing.getBoundingClientRect().left;
  field.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    pressedAt = x(event);
    field.setPointerCapture(event.pointerId);
    show([indexAt(pressedAt), indexAt(pressedAt)]);
  });
  field.addEventListener('pointermove', (event) => {
    const at = x(event);
    show([indexAt(pressedAt ?? at), indexAt(at)]);
  });
  field.addEventListener('pointerup', () => {
    hasChosen = pressedAt !== null;
    pressedAt = null;
    if (hasChosen) finish();
  });
  // What lies below the finger by now, when the text above has another height, is not to be clicked.
  field.addEventListener('touchend', (event) => {
    if (hasChosen && event.cancelable) event.preventDefault();
    hasChosen = false;
  });
  field.addEventListener('pointercancel', () => {
    pressedAt = null;
    show(null);
  });
  field.addEventListener('pointerleave', () => pressedAt === null && show(null));
}

/**
 * Has the keyboard do the same.
 *
 * @param {HTMLElement} field
 * @param {number} count
 * @param {{ readonly current: () => BarRange | null, readonly show: (range: BarRange | null) => void, readonly finish: () => void, readonly zoomOut: (() => void) | null }} acts
 */
export function followKeys(field, count, { current, show, finish, zoomOut }) {
  field.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const range = current();
    if (step !== undefined) {
      const [anchor, end] = range ?? [step > 0 ? -1 : count, step > 0 ? -1 : count];
      const next = Math.min(count - 1, Math.max(0, end + step));
      show(event.shiftKey && range !== null ? [anchor, next] : [next, next]);
    } else if (event.key === 'Enter' && range !== null) finish();
    else if (event.key === 'Escape' && range !== null) show(null);
    else if (event.key === '-' && zoomOut !== null) zoomOut();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  field.addEventListener('blur', () => show(null));
}

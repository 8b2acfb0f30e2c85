import { element } from '../page/elements.js';

/** What an arrow key changes. */
const STEP_PIXELS = 24;

/** Gives a column a width, also beside one that takes all the room there is. @param {HTMLTableCellElement} heading @param {number} width In pixels. */
export function setWidth(heading, width) {
  heading.style.width = `${width}px`;
  heading.style.minWidth = `${width}px`;
}

/**
 * The handle at the right of a heading, which makes its column wider or narrower: by dragging, or with the arrow keys.
 *
 * @param {HTMLTableCellElement} heading
 * @param {string} name
 * @param {(width: number) => void} resize Told the width once it is chosen.
 */
export function resizeHandle(heading, name, resize) {
  const handle = element('span', {
    class: 'resize',
    role: 'separator',
    tabindex: '0',
    'aria-orientation': 'vertical',
    'aria-label': `Width of ${name}`,
    'aria-valuenow': '0',
  });
  /** @type {{ x: number, width: number } | null} */
  let pressed = null;
  handle.addEventListener('focus', () =>
    handle.setAttribute('aria-valuenow', String(Math.round(heading.clientWidth))),
  );
  handle.addEventListener('pointerdown', (event) => {
    pressed = { x: event.clientX, width: heading.offsetWidth };
    handle.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  handle.addEventListener('pointermove', ({ clientX }) => {
    if (pressed !== null) setWidth(heading, pressed.width + clientX - pressed.x);
  });
  handle.addEventListener('pointerup', ({ clientX }) => {
    if (pressed !== null) resize(pressed.width + clientX - pressed.x);
    pressed = null;
  });
  handle.addEventListener('pointercancel', () => {
    pressed = null;
  });
  handle.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -STEP_PIXELS, ArrowRight: STEP_PIXELS }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    resize(heading.offsetWidth + step);
  });
  return handle;
}

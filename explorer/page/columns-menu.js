import { AS_THEY_ARE, movedColumn, orderedColumns, toggledColumn } from '../result/columns-choice.js';
import { byId, element } from './elements.js';

/** @import { ColumnSchema } from '../../client/client.d.ts' */
/** @import { ColumnsChoice } from '../result/columns-choice.js' */

/**
 * The menu that chooses columns and their order.
 *
 * @param {(choice: ColumnsChoice) => void} choose
 */
export function makeColumnsMenu(choose) {
  const list = byId('columns-list', HTMLDivElement);

  /** @param {readonly ColumnSchema[]} columns @param {ColumnsChoice} choice */
  function show(columns, choice) {
    const ordered = orderedColumns(columns, choice);
    /** @param {string} label @param {boolean} isChecked @param {() => ColumnsChoice} next */
    const check = (label, isChecked, next) => {
      const box = element('input', { type: 'checkbox', checked: isChecked, 'data-label': label });
      box.addEventListener('change', () => change(next(), label));
      return element('label', {}, box, ' ', label);
    };
    /** @param {string} name @param {-1 | 1} step @param {boolean} isPossible */
    const mover = (name, step, isPossible) => {
      const label = `Move ${name} ${step < 0 ? 'left' : 'right'}`;
      return element(
        'button',
        {
          type: 'button',
          class: 'quiet',
          title: label,
          'aria-label': label,
          'data-label': label,
          disabled: !isPossible,
          onclick: () => change(movedColumn(columns, choice, name, step), label),
        },
        step < 0 ? '↑' : '↓',
      );
    };
    list.replaceChildren(
      ...ordered.map(({ name }, index) =>
        element(
          'div',
          { class: 'column-choice' },
          check(name, !choice.hidden.includes(name), () => toggledColumn(choice, name)),
          mover(name, -1, index > 0),
          mover(name, 1, index < ordered.length - 1),
        ),
      ),
      element(
        'div',
        { class: 'column-choice all' },
        check('Wrap lines', choice.wrap, () => ({ ...choice, wrap: !choice.wrap })),
        element(
          'button',
          {
            type: 'button',
            class: 'quiet',
            'data-label': 'reset',
            onclick: () => change(AS_THEY_ARE, 'reset'),
          },
          'Reset',
        ),
      ),
    );
  }

  /** Chooses, and keeps the focus where it is in the list that is made anew. @param {ColumnsChoice} choice @param {string} label */
  function change(choice, label) {
    choose(choice);
    for (const one of list.querySelectorAll('[data-label]')) {
      if (one instanceof HTMLElement && one.dataset.label === label) one.focus();
    }
  }

  return { show };
}

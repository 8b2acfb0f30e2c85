import { byId } from './elements.js';

/** The width up to which explorer.css has one column. */
const NARROW = '(max-width: 45rem)';

/** Has the tools for the query stand in a menu of the toolbar where the page is narrow, and beside each other elsewhere. */
export function makeToolsMenu() {
  const menu = byId('more', HTMLDetailsElement);
  const body = byId('more-tools', HTMLDivElement);
  const queries = byId('queries', HTMLDetailsElement);
  const examples = byId('examples', HTMLSelectElement);
  const buttons = ['format', 'to-sql', 'lql-help'].map((id) => byId(id, HTMLButtonElement));
  const narrow = matchMedia(NARROW);

  function arrange() {
    menu.open = false;
    menu.hidden = !narrow.matches;
    if (narrow.matches) body.replaceChildren(examples, ...buttons);
    else {
      queries.before(examples);
      menu.after(...buttons);
    }
  }

  const close = () => {
    menu.open = false;
  };
  for (const button of buttons) button.addEventListener('click', close);
  examples.addEventListener('change', close);
  narrow.addEventListener('change', arrange);
  arrange();
}

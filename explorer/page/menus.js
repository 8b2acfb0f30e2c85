/** Has every menu close where the pointer or Escape leaves it, or another one opens. */
export function wireMenus() {
  const menus = [...document.querySelectorAll('details.menu')].filter(
    (one) => one instanceof HTMLDetailsElement,
  );
  document.addEventListener('pointerdown', ({ target }) => {
    for (const menu of menus) if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });
  for (const menu of menus) {
    menu.addEventListener('toggle', () => {
      if (menu.open) for (const other of menus) if (other !== menu) other.open = false;
    });
    menu.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !menu.open) return;
      menu.open = false;
      menu.querySelector('summary')?.focus();
      event.preventDefault();
      event.stopPropagation();
    });
  }
}

import { readChoice, saveChoice } from '../state/session.js';

const DARK = matchMedia('(prefers-color-scheme: dark)');

/** Light or dark: what the system prefers until the button says otherwise. @param {HTMLButtonElement} button */
export function startTheme(button) {
  const root = document.documentElement;
  const chosen = readChoice('theme');
  if (chosen === 'light' || chosen === 'dark') root.dataset.theme = chosen;
  const isDark = () => (root.dataset.theme ?? (DARK.matches ? 'dark' : 'light')) === 'dark';
  const show = () => {
    button.textContent = isDark() ? 'Light' : 'Dark';
    button.title = isDark() ? 'Change to light colours' : 'Change to dark colours';
  };
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    saveChoice('theme', root.dataset.theme);
    show();
  });
  DARK.addEventListener('change', show);
  show();
}

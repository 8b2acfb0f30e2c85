import type { Command } from './command.ts';

/** The shells that scripts are written for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** A shell for which `lqe completion` writes a script. */
export type Shell = (typeof SHELLS)[number];

export const COMPLETION: Command = {
  name: 'completion',
  summary: 'Print a script that completes commands and options in a shell',
  operands: [{ name: 'SHELL', isRequired: true, choices: SHELLS, help: 'the shell to write it for' }],
  options: [],
  notes: [
    [
      '  bash: put  source <(lqe completion bash)  into ~/.bashrc',
      '  zsh:  put  source <(lqe completion zsh)  into ~/.zshrc, after compinit',
      '  fish: lqe completion fish > ~/.config/fish/completions/lqe.fish',
    ].join('\n'),
  ],
};

import { type CodeBlock, codeBlocks } from './code-blocks.ts';

/** The blocks of a page whose commands send entries to the service. */
export function sendingCommands(page: string): readonly CodeBlock[] {
  return codeBlocks(page).filter(({ info, text }) => info === 'sh' && text.includes('/api/logs?'));
}

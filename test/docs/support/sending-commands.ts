import { type CodeBlock, codeBlocks } from './code-blocks.ts';

/** The blocks of a page whose commands send entries to the service, but for those that test/recipes runs with a file of their form. */
export function sendingCommands(page: string): readonly CodeBlock[] {
  return codeBlocks(page).filter(
    ({ info, text }) => info === 'sh' && text.includes('/api/logs?') && !text.includes('otlp.json'),
  );
}

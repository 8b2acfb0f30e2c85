import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

interface Command {
  readonly commands: Readonly<Record<string, Command>>;
  readonly flags: Readonly<Record<string, unknown>>;
}

const command: z.ZodType<Command> = z.lazy(() =>
  z.object({ commands: z.record(z.string(), command), flags: z.record(z.string(), z.unknown()) }),
);

/** The commands that the installed gcloud completes, with their flags. */
export function gcloudTree(): Command {
  const gcloud = execFileSync('sh', ['-c', 'command -v gcloud'], { encoding: 'utf8' }).trim();
  const file = join(realpathSync(gcloud), '../../data/cli/gcloud_completions.py');
  const text = readFileSync(file, 'utf8');
  return command.parse(JSON.parse(text.slice(text.indexOf('{'))));
}

/** What a gcloud command line has that gcloud does not know: a command, or flags. */
export function gcloudProblems(tree: Command, words: readonly string[]): string[] {
  let node = tree;
  let depth = 1;
  for (const word of words.slice(1)) {
    const next = node.commands[word];
    if (next === undefined) break;
    node = next;
    depth += 1;
  }
  const known = { ...tree.flags, ...node.flags };
  const flags = words
    .slice(depth)
    .flatMap((word) => (word.startsWith('--') ? [word.replace(/=.*/, '')] : []));
  return [
    ...(Object.keys(node.commands).length > 0 ? [`no command: ${words.slice(0, depth + 1).join(' ')}`] : []),
    ...flags
      .filter((flag) => !(flag in known) && !(flag.replace(/^--no-/, '--') in known))
      .map((flag) => `no flag: ${flag}`),
  ];
}

import type { Command, Option } from './command.ts';

/** Each option with what stands for its value; `lqe tokens --help` describes them. */
const OPTIONS: readonly (readonly [Option['flag'], string | null, Partial<Option>?])[] = [
  ['--name', 'NAME'],
  ['--expires', 'WHEN'],
  ['--endpoint', 'E', { isRepeatable: true, completes: 'endpoint' }],
  ['--project', 'P', { isRepeatable: true }],
  ['--write', 'SOURCE', { isRepeatable: true }],
  ['--max-rows', 'N'],
  ['--max-bytes', 'BYTES'],
  ['--max-window', 'SPAN'],
  ['--requests-per-minute', 'N'],
  ['--sql-deadline', 'SPAN'],
  ['--cpu-per-minute', 'SECONDS'],
  ['--json', null],
  ['--store', 'file|firestore', { choices: ['file', 'firestore'] }],
  ['--google-project', 'PROJECT'],
  ['--token-database', 'ID'],
];

export const TOKENS: Command = {
  name: 'tokens',
  summary: 'Issue, list, show and revoke access tokens',
  operands: [
    {
      name: 'ACTION',
      isRequired: true,
      choices: ['issue', 'list', 'show', 'revoke'],
      help: 'what to do with the tokens',
    },
    { name: 'TOKEN', isRequired: false, help: 'name or beginning of the digest, for show and revoke' },
  ],
  options: OPTIONS.map(([flag, value, more = {}]) => ({ flag, value, help: '', ...more })),
  notes: [],
};

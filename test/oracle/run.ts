import { parseArgs } from 'node:util';
import { fuzzValues } from './fuzz-values.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
    only: { type: 'string' },
    function: { type: 'string' },
    docs: { type: 'boolean', default: false },
  },
});
const failed = await fuzzValues({
  first: Number(values.only ?? values.first),
  count: values.only === undefined ? Number(values.count) : 1,
  seed: Number(values.seed),
  only: values.function?.split(',') ?? null,
  writeDocs: values.docs,
  print: (line) => console.log(line),
});
process.exit(failed === 0 ? 0 : 1);

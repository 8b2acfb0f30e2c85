import { parseArgs } from 'node:util';
import { fuzzValues } from './fuzz-values.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    first: { type: 'string', default: '0' },
    only: { type: 'string' },
    function: { type: 'string' },
    open: { type: 'boolean', default: false },
    docs: { type: 'boolean', default: false },
  },
});
const seed = values.seed === undefined ? Math.floor(Date.now() / 1000) : Number(values.seed);
console.log(`seed ${seed}`);
const failed = await fuzzValues({
  first: Number(values.only ?? values.first),
  count: values.only === undefined ? Number(values.count) : 1,
  seed,
  only: values.function?.split(',') ?? null,
  listOpen: values.open,
  writeDocs: values.docs,
  print: (line) => console.log(line),
});
process.exit(failed === 0 ? 0 : 1);

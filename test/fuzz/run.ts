import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';
import type { OracleVersion } from './oracle/server.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    oracle: { type: 'string', default: 'npm' },
    refusals: { type: 'boolean', default: false },
  },
});
const version: OracleVersion = values.oracle === 'newer' ? 'newer' : 'npm';
const first = values.only === undefined ? 0 : Number(values.only);
const failed = await fuzz({
  first,
  count: values.only === undefined ? Number(values.count) : 1,
  seed: Number(values.seed),
  version,
  showRefusals: values.refusals,
  print: (line) => console.log(line),
});
process.exit(failed === 0 ? 0 : 1);

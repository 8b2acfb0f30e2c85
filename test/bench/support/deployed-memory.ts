import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What Terraform gives a function when nothing is said. */
export interface DeployedMemory {
  readonly memoryMib: number;
  /** Environment variables that divide the memory up. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Reads the default of `function.memory_mib` and how terraform/functions.tf divides it up. */
export async function deployedMemory(root: string): Promise<DeployedMemory> {
  const read = (file: string) => readFile(join(root, 'terraform', file), 'utf8');
  const [variables, functions] = await Promise.all([read('variables.tf'), read('functions.tf')]);
  const memoryMib = Number(/memory_mib\s+= optional\(number, (\d+)\)/.exec(variables)?.[1]);
  const part = (pattern: RegExp) => String(Math.floor(memoryMib * Number(pattern.exec(functions)?.[1])));
  const partOf = (name: string) =>
    part(new RegExp(`${name}\\s*=.*var\\.function\\.memory_mib \\* ([\\d.]+)`));
  const heap = part(/--max-old-space-size=\$\{floor\(var\.function\.memory_mib \* ([\d.]+)/);
  return {
    memoryMib,
    variables: {
      LQE_ANSWER_MEMORY: partOf('LQE_ANSWER_MEMORY'),
      LQE_CACHE_MEMORY: partOf('LQE_CACHE_MEMORY'),
      NODE_OPTIONS: `--max-http-header-size=65536 --max-old-space-size=${heap}`,
    },
  };
}

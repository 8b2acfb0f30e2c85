import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readDeployment } from '../../../cli/cost/deployment.ts';
import { readTerraform } from '../../../cli/cost/terraform-values.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lqe-terraform-'));
  await writeFile(
    join(folder, 'a.tf'),
    `variable "plain" {
  description = "A number."
  default     = 90
}

variable "sizes" {
  type = object({
    memory = optional(number, 1024)
    name   = optional(string, "small")
  })
  default = {}
}

locals {
  seconds = 300
}

resource "a" "b" {
  deadline = tostring((local.seconds - 60) * 1000)
  half     = tostring(floor(var.sizes.memory * 0.125) + var.plain)
  other    = jsonencode(var.plain)
}
`,
  );
  await writeFile(
    join(folder, 'b.tf'),
    'resource "c" "d" {\n  twice = 1\n}\nresource "e" "f" {\n  twice = 2\n}\n',
  );
});
afterAll(() => rm(folder, { recursive: true }));

describe('the values of Terraform files', () => {
  test.each<[string, string, number]>([
    ["a variable's default", 'var.plain', 90],
    ["an attribute's default", 'var.sizes.memory', 1024],
    ['a local', 'local.seconds', 300],
    ['arithmetic', '1 + 2 * (10 - 4) / 3', 5],
  ])('are %s', async (_, expression, expected) => {
    expect((await readTerraform(folder)).number(expression)).toBe(expected);
  });

  test.each([
    ['deadline', 240_000],
    ['half', 218],
  ])('are what is computed for %s', async (name, expected) => {
    const values = await readTerraform(folder);
    expect(values.number(values.assigned(name))).toBe(expected);
  });

  test.each<[string, string]>([
    ['other', 'no number in jsonencode(var.plain)'],
    ['twice', 'no one value of twice'],
    ['missing', 'no one value of missing'],
  ])('are refused for %s, with the folder', async (name, words) => {
    const values = await readTerraform(folder);
    expect(() => values.number(values.assigned(name))).toThrow(`${folder}: its files have ${words}`);
  });

  test('are not there without files', async () => {
    await expect(readTerraform(join(folder, 'none'))).rejects.toThrow(
      'there are no Terraform files in this folder',
    );
  });
});

test('the deployment is what the Terraform folder says', async () => {
  const deployment = await readDeployment();
  for (const value of Object.values(deployment).filter((one) => typeof one === 'number'))
    expect(value).toBeGreaterThanOrEqual(0);
  expect(deployment.warmDeadlineSeconds).toBeLessThan(3600);
  expect(['HOUR', 'DAY']).toContain(deployment.partitionBy);
});

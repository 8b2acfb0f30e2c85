import fc from 'fast-check';
import type { Value } from './events.ts';
import { generateBounds, generatePattern, generateText, textsOf } from './generate-text.ts';
import type { FieldTest, Order } from './model.ts';
import type { Field } from './schema.ts';

const ORDERS: readonly Order[] = [':', ':>', ':>=', ':<', ':<='];

/** Tests that fit a field, with texts at, beside and far from some values. */
export function generateTest(field: Field, values: readonly Value[]): fc.Arbitrary<FieldTest> {
  if (field.kind === 'list') {
    const elements = values.flatMap((list) => (list ?? []) as readonly Value[]);
    const contains = generateText(field.element, elements).map(
      (value) => ({ kind: 'contains', value }) as const,
    );
    if (field.element !== 'STRING') return contains;
    const containsMatch = generatePattern(textsOf(elements)).map(
      (pattern) => ({ kind: 'containsMatch', pattern }) as const,
    );
    return fc.oneof(contains, containsMatch);
  }
  const type = field.kind === 'scalar' ? field.type : 'STRING';
  const orders = fc.constantFrom(...(type === 'BOOL' ? [':' as const] : ORDERS));
  const compare = fc.record({
    kind: fc.constant('compare' as const),
    order: fc.oneof(fc.constant(':' as const), orders),
    value: generateText(type, values),
  });
  const isNull = fc.constant({ kind: 'null' } as const);
  if (type === 'BOOL') return fc.oneof({ weight: 3, arbitrary: compare }, isNull);
  const between = generateBounds(type, values).map(([from, to]) => ({ kind: 'between', from, to }) as const);
  if (type !== 'STRING')
    return fc.oneof({ weight: 3, arbitrary: compare }, { weight: 2, arbitrary: between }, isNull);
  const matches = generatePattern(textsOf(values)).map((pattern) => ({ kind: 'matches', pattern }) as const);
  return fc.oneof(
    { weight: 4, arbitrary: compare },
    { weight: 1, arbitrary: between },
    { weight: 2, arbitrary: matches },
    { weight: 1, arbitrary: isNull },
  );
}

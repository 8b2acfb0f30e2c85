import { leafShare } from './billed-bytes.ts';
import { totalOf } from './format-costs.ts';
import type { CostModel, CostSection } from './model.ts';
import { PRICES, PRICES_OF } from './prices.ts';

/** Everything that the costs were computed from, and they themselves, as JSON has it. */
export function costReport(model: CostModel, sections: readonly CostSection[]): object {
  const { volumes, prices, sizes, reads } = model;
  return {
    usdPerMonth: totalOf(sections),
    sections,
    volumes: {
      ...volumes,
      calls: Object.fromEntries(volumes.calls),
      shares: Object.fromEntries(volumes.shares),
      sets: volumes.sets.map(({ endpoint, value, count }) => ({ endpoint: endpoint.name, value, count })),
    },
    prices: {
      ...PRICES_OF,
      list: Object.entries(PRICES).map(([name, { per, unit }]) => {
        return { name, usd: prices[name as keyof typeof PRICES], per, unit };
      }),
    },
    bytesPerEntry: Object.fromEntries(
      [...sizes].map(([source, { entries, bytes }]) => [
        source,
        Object.fromEntries(
          [...bytes].map(([leaf, count]) => [leaf, Math.round((count / entries) * 100) / 100]),
        ),
      ]),
    ),
    reads: Object.fromEntries(
      [...reads].map(([{ name }, tables]) => [
        name,
        tables.map(({ table, leaves, isOfOneProject }) => {
          return { table, leaves: [...leaves], share: leafShare(model, table, leaves), isOfOneProject };
        }),
      ]),
    ),
  };
}

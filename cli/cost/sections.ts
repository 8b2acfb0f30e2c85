import { firestoreSection } from './firestore-section.ts';
import { fixedSection, logsSection } from './fixed-sections.ts';
import type { CostModel, CostSection } from './model.ts';
import { queriesSection, warmingSection } from './query-sections.ts';
import { requestsSection } from './requests-section.ts';

/** Everything that a month costs. */
export function costSections(model: CostModel): readonly CostSection[] {
  return [fixedSection, logsSection, queriesSection, warmingSection, firestoreSection, requestsSection]
    .map((section) => section(model))
    .filter(({ rows }) => rows.length > 0);
}

import type { TableSchemas } from '../../../schema/table-schema.ts';
import { NESTED_LAYOUT, type TableLayouts } from '../store/layout.ts';
import type { LoadedPart } from './live-view.ts';
import { fieldsBeyond } from './table-shape.ts';

/** The tables as they were loaded, as parts of all that the sources will have; `declared` are the sources' own schemas. */
export function loadedParts(
  stored: TableSchemas,
  layouts: TableLayouts,
  declared: TableSchemas,
): ReadonlyMap<string, LoadedPart> {
  return new Map(
    [...stored].map(([source, schema]): [string, LoadedPart] => {
      const {
        flat,
        hasRepeated,
        flatRepeated,
        sharesElements = false,
      } = layouts.get(source) ?? NESTED_LAYOUT;
      const added = fieldsBeyond(schema, declared.get(source) ?? schema);
      // Whether there are entries in them matters, and not how many: a table is read as quickly without any.
      return [
        source,
        {
          shape: { schema, flat: [...flat.keys()], added },
          rows: 1,
          repeatedRows: Number(hasRepeated),
          flatRepeated: [...(flatRepeated?.keys() ?? [])],
          sharesElements,
        },
      ];
    }),
  );
}

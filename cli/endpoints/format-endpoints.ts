import { nounFor } from '../../shared/errors/noun-for.ts';
import { escapeUnprintable } from '../../shared/runtime/printable.ts';
import type { Colours } from '../terminal/colour.ts';
import type { ListedEndpoint } from './catalogue.ts';

/** A paragraph an endpoint: name, what it answers, parameters, sources. */
export function endpointsText(endpoints: readonly ListedEndpoint[], colours: Colours): string {
  return endpoints.map((endpoint) => describe(endpoint, colours)).join('\n');
}

function describe(endpoint: ListedEndpoint, { bold, dim }: Colours): string {
  const { name, id, description, parameters, sources, maxRows, cacheTtlSeconds } = endpoint;
  const width = Math.max(0, ...parameters.map((parameter) => parameter.name.length));
  const caching = cacheTtlSeconds === 0 ? 'not cached' : `cached for ${cacheTtlSeconds} s`;
  const lines = [
    `${bold(escapeUnprintable(name))}  ${dim(escapeUnprintable(id))}`,
    `  ${escapeUnprintable(description)} At most ${maxRows} ${nounFor(maxRows, 'row')}, ${caching}.`,
    ...parameters.map((parameter) => {
      const need = parameter.required ? ' (required)' : '';
      return `  ${escapeUnprintable(parameter.name).padEnd(width)}  ${escapeUnprintable(parameter.description)}${need}`;
    }),
    ...(sources.length === 0
      ? []
      : [`  sources: ${sources.map((source) => escapeUnprintable(source.name)).join(', ')}`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

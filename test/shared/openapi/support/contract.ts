import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Answer } from '../../http/support/http-client.ts';

interface Media {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Response {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
}

interface Header {
  readonly required?: boolean;
  readonly schema: { readonly type?: string };
}

/** As much of an OpenAPI document as the tests look at. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Response>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly schemas: Readonly<Record<string, object>>;
  };
}

/** Frame the message on its way; no answer means anything by them. */
const FRAMING = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
]);

/** The document's own formats, which only the service can check. */
const OWN_FORMATS = { 'iso-8601': true, re2: true, googlesql: true, lql: true, 'lqe-cursor': true } as const;

/** Holds answers to a document. */
export interface Contract {
  /** What of an answer is not as the document says. */
  problems(path: string, method: string, answer: Answer): readonly string[];
  /** What of a request's body is not as the document says. */
  bodyProblems(path: string, body: unknown): readonly string[];
  /** The headers that the answers which were looked at had, by their names in the document. */
  readonly seenHeaders: ReadonlySet<string>;
}

export function contractOf(document: Document): Contract {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: OWN_FORMATS });
  formats.default(ajv);
  ajv.addSchema(document, 'document');
  const compiled = new Map<string, ValidateFunction>();
  const seenHeaders = new Set<string>();

  function schemaProblems(pointer: readonly string[], value: unknown): readonly string[] {
    const path = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
    const $ref = `document#/${path.join('/')}`;
    const validate = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }

  function headerProblems(headers: Response['headers'], answer: Answer): readonly string[] {
    const names = Object.keys(headers ?? {});
    const given = Object.keys(answer.headers).filter((name) => !FRAMING.has(name));
    const unknown = given.filter((name) => !names.some((one) => one.toLowerCase() === name));
    const problems = unknown.map((name) => `${name} is not documented`);
    for (const name of names) {
      const value = answer.headers[name.toLowerCase()];
      const { required = false, schema } = document.components.headers[name] ?? { schema: {} };
      if (value === undefined && required) problems.push(`${name} is missing`);
      if (value === undefined) continue;
      seenHeaders.add(name);
      const typed = schema.type === 'integer' ? Number(value) : String(value);
      problems.push(
        ...schemaProblems(['components', 'headers', name, 'schema'], typed).map((text) => `${name}: ${text}`),
      );
    }
    return problems;
  }

  return {
    seenHeaders,
    problems(path, method, answer) {
      const at = ['paths', path, method.toLowerCase(), 'responses', String(answer.status)];
      const written = document.paths[path]?.[method.toLowerCase()]?.responses[answer.status];
      if (written === undefined) return [`${answer.status} is not documented`];
      const referred = written.$ref?.split('/').at(-1);
      const response = referred === undefined ? written : document.components.responses[referred];
      const pointer = referred === undefined ? at : ['components', 'responses', referred];
      const problems = headerProblems(response?.headers, answer);
      if (response?.content === undefined) {
        return answer.text === '' ? problems : [...problems, 'has a body'];
      }
      const mediaType = String(answer.headers['content-type']).replace(/;.*$/, '');
      if (!(mediaType in response.content)) return [...problems, `${mediaType} is not documented`];
      const value = mediaType === 'application/json' ? answer.json() : answer.text;
      return [...problems, ...schemaProblems([...pointer, 'content', mediaType, 'schema'], value)];
    },
    bodyProblems: (path, body) =>
      schemaProblems(['paths', path, 'post', 'requestBody', 'content', 'application/json', 'schema'], body),
  };
}

// Checks a server's lists, and its results about resources, prompts and completions. Items of a list that have the wrong shape, are too
// long or contain control characters are left out with a reason; other invalid results are refused as a whole.

import { err, isObject, ok, type Result } from '@plugboard/base';
import type { ContentBlock, RejectedItem, ResourceContents } from './neutral/model.ts';
import { freshnessOf, problemOfBlock, problemOfContents, readTool } from './read-result.ts';
import type {
  Completion,
  FilledPrompt,
  Page,
  Prompt,
  PromptArgument,
  PromptMessage,
  Resource,
  ResourceReading,
  ResourceTemplate,
} from './neutral/primitives.ts';

type Fields = Readonly<Record<string, unknown>>;
type ReadResult<T> = Result<T, string>;

const MAX_URI_LENGTH = 8192;
const MAX_TEMPLATE_LENGTH = 2048;
const MAX_EXPRESSIONS = 64;
const MAX_NAME_LENGTH = 1024;
const MAX_ARGUMENTS = 100;
/** More than any reader can use, and few enough for memory. */
const MAX_PARTS = 10_000;
/** https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/completion */
const MAX_COMPLETIONS = 100;

/** C0, DEL, C1 and line separators: no address contains one, and a terminal would act on it. */
const CONTROL = /[\u0000-\u001F\u007F-\u009F\u2028\u2029]/u;

export const readToolPage = pageReader('tools', readTool, ({ name }) => name);
export const readResourcePage = pageReader('resources', readResource, ({ uri }) => uri);
export const readTemplatePage = pageReader(
  'resourceTemplates',
  readTemplate,
  ({ uriTemplate }) => uriTemplate,
);
export const readPromptPage = pageReader('prompts', readPrompt, ({ name }) => name);

/** Creates a reader of pages whose items are under `key`. */
export function pageReader<Item>(
  key: string,
  readItem: (raw: Fields) => ReadResult<Item>,
  nameOf: (raw: Fields) => unknown,
): (raw: unknown) => ReadResult<Page<Item>> {
  return (raw) => {
    if (!isObject(raw)) return err('the result is not an object');
    const { [key]: listed, nextCursor } = raw;
    if (!Array.isArray(listed)) return err(`\`${key}\` is not a list`);
    if (nextCursor !== undefined && nextCursor !== null && typeof nextCursor !== 'string') {
      return err('`nextCursor` is not text');
    }
    const items: Item[] = [];
    const rejected: RejectedItem[] = [];
    for (const one of listed as readonly unknown[]) {
      const read = isObject(one) ? readItem(one) : err('is not an object');
      if (read.ok) items.push(read.value);
      else
        rejected.push({ name: shortName(isObject(one) ? nameOf(one) : one), reason: read.error });
    }
    return ok({
      items,
      rejected,
      nextCursor: nextCursor ?? undefined,
      freshness: freshnessOf(raw),
    });
  };
}

function readResource(raw: Fields): ReadResult<Resource> {
  const { uri, name, size } = raw;
  const problem = problemOfUri(uri);
  if (problem !== undefined) return err(problem);
  return ok({
    ...unknownMembers(raw),
    uri: uri as string,
    name: isName(name) ? name : (uri as string),
    ...displayFields(raw),
    ...(typeof size === 'number' && size >= 0 ? { size } : {}),
  });
}

function readTemplate(raw: Fields): ReadResult<ResourceTemplate> {
  const { uriTemplate, name } = raw;
  if (typeof uriTemplate !== 'string' || uriTemplate === '') return err('has no uriTemplate');
  if (uriTemplate.length > MAX_TEMPLATE_LENGTH) return err('has a template that is too long');
  if (CONTROL.test(uriTemplate)) return err('has control characters in its template');
  if (uriTemplate.split('{').length - 1 > MAX_EXPRESSIONS) {
    return err('has a template with too many expressions');
  }
  return ok({
    ...unknownMembers(raw),
    uriTemplate,
    name: isName(name) ? name : uriTemplate,
    ...displayFields(raw),
  });
}

function readPrompt(raw: Fields): ReadResult<Prompt> {
  const { name, arguments: given = [] } = raw;
  if (!isName(name)) return err('has no name, or one that is too long');
  if (!Array.isArray(given)) return err('has arguments that are not a list');
  if (given.length > MAX_ARGUMENTS) return err('has too many arguments');
  const read: PromptArgument[] = [];
  for (const argument of given as readonly unknown[]) {
    if (!isObject(argument) || !isName(argument['name']))
      return err('has an argument without name');
    const { mimeType: _, ...words } = displayFields(argument);
    read.push({ name: argument['name'], ...words, required: argument['required'] === true });
  }
  return ok({ ...unknownMembers(raw), name, ...displayFields(raw), arguments: read });
}

/** Members that this host does not use, such as icons, are kept for its callers. */
function unknownMembers(raw: Fields): Fields {
  const { title: _, description: _1, mimeType: _2, size: _3, arguments: _4, ...rest } = raw;
  return rest;
}

/** The fields that describe an item to people. */
function displayFields({ title, description, mimeType }: Fields): {
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
} {
  return {
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof mimeType === 'string' ? { mimeType } : {}),
  };
}

export function readResourceReading(raw: unknown): ReadResult<ResourceReading> {
  if (!isObject(raw)) return err('the result is not an object');
  const { contents } = raw;
  if (!Array.isArray(contents)) return err('`contents` is not a list');
  if (contents.length > MAX_PARTS) return err(`\`contents\` has more than ${MAX_PARTS} parts`);
  for (const [index, part] of contents.entries()) {
    const problem = problemOfContents(part);
    if (problem !== undefined) return err(`contents[${index}] ${problem}`);
  }
  return ok({ contents: contents as readonly ResourceContents[], freshness: freshnessOf(raw) });
}

export function readFilledPrompt(raw: unknown): ReadResult<FilledPrompt> {
  if (!isObject(raw)) return err('the result is not an object');
  const { description, messages } = raw;
  if (!Array.isArray(messages)) return err('`messages` is not a list');
  if (messages.length > MAX_PARTS) return err(`there are more than ${MAX_PARTS} messages`);
  const read: PromptMessage[] = [];
  for (const [index, message] of (messages as readonly unknown[]).entries()) {
    if (!isObject(message)) return err(`messages[${index}] is not an object`);
    const { role, content } = message;
    if (role !== 'user' && role !== 'assistant') return err(`messages[${index}] has no sound role`);
    const problem = problemOfBlock(content);
    if (problem !== undefined) return err(`messages[${index}] ${problem}`);
    read.push({ role, content: content as ContentBlock });
  }
  return ok({ ...(typeof description === 'string' ? { description } : {}), messages: read });
}

export function readCompletion(raw: unknown): ReadResult<Completion> {
  const completion = isObject(raw) ? raw['completion'] : undefined;
  if (!isObject(completion)) return err('`completion` is not an object');
  const { values, hasMore } = completion;
  if (!Array.isArray(values)) return err('`values` is not a list');
  const texts = (values as readonly unknown[])
    .slice(0, MAX_COMPLETIONS)
    .filter((value): value is string => typeof value === 'string');
  return ok({ values: texts, hasMore: hasMore === true || values.length > MAX_COMPLETIONS });
}

/** What is wrong with the address. */
export function problemOfUri(uri: unknown): string | undefined {
  if (typeof uri !== 'string' || uri === '') return 'has no uri';
  if (uri.length > MAX_URI_LENGTH) return 'has a uri that is too long';
  return CONTROL.test(uri) ? 'has control characters in its uri' : undefined;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME_LENGTH;
}

const SHOWN_LENGTH = 120;

function shortName(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, SHOWN_LENGTH) : '(unnamed)';
}

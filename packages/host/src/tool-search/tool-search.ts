// Offers three tools in place of all: a model searches for tools, has them described, and calls them by name. The three
// stay the same for a whole conversation, even if servers change, so that a provider's cache stays valid.

import { groupBy, isObject, type JsonObject } from '@plugboard/base';
import { declaration, type DescribedTool, shortName, signature } from './signature.ts';
import { openToolIndex, type ToolIndex } from './tool-index.ts';
import { propertiesOf } from './type-text.ts';
import { partsOf, wordsOf } from './words.ts';

export const SEARCH_TOOLS = 'search_tools';
export const DESCRIBE_TOOLS = 'describe_tools';
export const CALL_TOOL = 'call_tool';

const THREE_TOOLS: ReadonlySet<string> = new Set([SEARCH_TOOLS, DESCRIBE_TOOLS, CALL_TOOL]);

export function isSearchTool(name: string): boolean {
  return THREE_TOOLS.has(name);
}

/** A tool as it is offered to a model. */
export interface OfferedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** The result of a call of one of the three. */
export type ToolSearchAnswer<Tool> =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly isError: boolean;
      /** The result of a search, best first, for providers that load definitions by name. */
      readonly found?: readonly Tool[];
    }
  /** A call that the caller makes like any other. */
  | { readonly kind: 'call'; readonly tool: Tool; readonly arguments: JsonObject };

const RESULTS_OF_QUERY = 5;
const LEAST_RESULTS = 8;
const MOST_RESULTS = 15;
const MOST_QUERIES = 10;
const MOST_DESCRIBED = 10;
const LONGEST_ANSWER = 24_000;
const LONGEST_SCHEMA = 6000;
const CLOSEST = 3;
const MOST_TOPICS = 4;
/** The limit for the list of servers, which is in every request. The last servers are only named. */
const LONGEST_LIST = 2200;

export class ToolSearch<Tool extends DescribedTool> {
  readonly #open: () => Promise<ToolIndex<Tool>>;
  #opened: Promise<ToolIndex<Tool>> | undefined;
  #tools: readonly Tool[] = [];
  /** The tools in the index. */
  #indexed: readonly Tool[] | undefined;
  #byName: ReadonlyMap<string, Tool> = new Map();
  /** How often in a row a tool was called with invalid arguments. */
  readonly #failures = new Map<string, number>();
  #definitions: readonly OfferedTool[] | undefined;
  #nativeDefinition: OfferedTool | undefined;

  /** The index is opened with the first search. */
  constructor(open: () => Promise<ToolIndex<Tool>> = openToolIndex) {
    this.#open = open;
  }

  /** Sets the tools that can be found. */
  set(tools: readonly Tool[]): void {
    this.#tools = tools;
    // The first of two tools with the same short name gets it; full names take precedence.
    this.#byName = new Map([
      ...tools.toReversed().map((tool) => [shortName(tool), tool] as const),
      ...tools.map((tool) => [tool.name, tool] as const),
    ]);
  }

  /** Unchanged since the first access. */
  get definitions(): readonly OfferedTool[] {
    this.#definitions ??= searchDefinitions(this.#tools);
    return this.#definitions;
  }

  /** The only tool if the provider loads the found definitions: found tools are called by their own names. */
  get nativeDefinition(): OfferedTool {
    this.#nativeDefinition ??= searchDefinition(this.#tools, LOADED);
    return this.#nativeDefinition;
  }

  /** The tool that `call_tool` should call. */
  meant({ name }: JsonObject): Tool | undefined {
    return typeof name === 'string' ? this.#byName.get(name) : undefined;
  }

  async answer(name: string, given: JsonObject): Promise<ToolSearchAnswer<Tool>> {
    switch (name) {
      case SEARCH_TOOLS:
        return this.#search(given);
      case DESCRIBE_TOOLS:
        return this.#describe(given);
      default:
        return this.#call(given);
    }
  }

  async #find(queries: readonly string[], limit: number): Promise<readonly Tool[]> {
    this.#opened ??= this.#open();
    const index = await this.#opened;
    if (this.#indexed !== this.#tools) {
      index.set(this.#tools);
      this.#indexed = this.#tools;
    }
    return index.search(queries, limit);
  }

  async #search({ queries, query }: JsonObject): Promise<ToolSearchAnswer<Tool>> {
    // Some models pass a single `query`, as for other search tools.
    const wanted = textsIn(queries ?? query).slice(0, MOST_QUERIES);
    if (wanted.length === 0) {
      return problem(`${SEARCH_TOOLS} takes { "queries": ["…", "…"] }, one for each step.`);
    }
    const limit = Math.min(MOST_RESULTS, Math.max(LEAST_RESULTS, RESULTS_OF_QUERY * wanted.length));
    const found = await this.#find(wanted, limit);
    if (found.length === 0) {
      return text('No tool was found. Try other words, such as the name of the service.');
    }
    const lines = found.map((tool) => this.#line(tool));
    return { kind: 'text', text: [...lines, HOW_TO_CALL].join('\n'), isError: false, found };
  }

  #line(tool: Tool): string {
    const line = signature(tool);
    // If another tool has its short name, its full name is shown.
    return this.#byName.get(shortName(tool)) === tool
      ? line
      : `${tool.name}${line.slice(shortName(tool).length)}`;
  }

  async #describe({ names, name }: JsonObject): Promise<ToolSearchAnswer<Tool>> {
    const wanted = textsIn(names ?? name).slice(0, MOST_DESCRIBED);
    if (wanted.length === 0) return problem(`${DESCRIBE_TOOLS} takes { "names": ["…"] }.`);
    const described: string[] = [];
    for (const each of wanted) {
      const tool = this.#byName.get(each);
      described.push(tool === undefined ? await this.#unknownTool(each) : declaration(tool));
    }
    return text(described.join('\n\n').slice(0, LONGEST_ANSWER));
  }

  async #call({ name, arguments: given = {} }: JsonObject): Promise<ToolSearchAnswer<Tool>> {
    if (typeof name !== 'string') {
      return problem(`${CALL_TOOL} takes { "name": "server.tool", "arguments": { … } }.`);
    }
    const tool = this.#byName.get(name);
    if (tool === undefined) return problem(await this.#unknownTool(name));
    if (!isObject(given)) {
      return problem(`"arguments" has to be an object. ${signature(tool)}`);
    }
    return { kind: 'call', tool, arguments: given };
  }

  async #unknownTool(name: string): Promise<string> {
    const found = await this.#find([partsOf(name).join(' ')], CLOSEST);
    const near = found.map((tool) => `\n${this.#line(tool)}`);
    const closest = near.length === 0 ? '' : ` The closest are:${near.join('')}`;
    return `There is no tool ${JSON.stringify(name.slice(0, 200))}.${closest}`;
  }

  /** Call it when the arguments of a call were valid. */
  accepted(tool: Tool): void {
    this.#failures.delete(tool.name);
  }

  /**
   * Help for a model after invalid arguments: the signature, and from the second time on the schemas of the invalid
   * parameters. An empty `parameters` stands for all.
   */
  helpWith(tool: Tool, parameters: readonly string[]): string {
    const failures = (this.#failures.get(tool.name) ?? 0) + 1;
    this.#failures.set(tool.name, failures);
    const line = this.#line(tool);
    if (failures === 1) return line;
    const wrong = new Set(parameters);
    const schemas = propertiesOf(tool.inputSchema)
      .filter(({ name }) => wrong.size === 0 || wrong.has(name))
      .map(({ name, schema }) => `${name}: ${JSON.stringify(schema)}`);
    return `${line}\nAs JSON Schema:\n${schemas.join('\n')}`.slice(0, LONGEST_SCHEMA);
  }
}

const HOW_TO_CALL = `Call one with ${CALL_TOOL} {"name":"…","arguments":{…}}. A "…" in a signature is something that was left out: ${DESCRIBE_TOOLS} has it.`;

function text(answer: string): ToolSearchAnswer<never> {
  return { kind: 'text', text: answer, isError: false };
}

function problem(answer: string): ToolSearchAnswer<never> {
  return { kind: 'text', text: answer, isError: true };
}

function textsIn(given: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(given) ? given : [given];
  return all.filter((each): each is string => typeof each === 'string' && each.trim() !== '');
}

const SIGNATURES = `The answer has signatures of tools, for ${CALL_TOOL}.`;
const LOADED = 'What it finds is loaded, and can then be called by its name.';

function searchDefinition(tools: readonly DescribedTool[], outcome: string): OfferedTool {
  return {
    name: SEARCH_TOOLS,
    title: 'Search tools',
    description: `Finds tools by what they do. They are too many to list here. Split the task into its steps and give one short query for each, all in one call, such as ["create github issue", "read a file"]. ${outcome}\n${serverLines(tools).join('\n')}`,
    inputSchema: {
      type: 'object',
      properties: {
        queries: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          maxItems: MOST_QUERIES,
          description: 'One for each step, a few words each',
        },
      },
      required: ['queries'],
    },
  };
}

/** The definitions of the three tools, with a list of the servers of `tools`. */
export function searchDefinitions(tools: readonly DescribedTool[]): readonly OfferedTool[] {
  return [
    searchDefinition(tools, SIGNATURES),
    {
      name: DESCRIBE_TOOLS,
      title: 'Describe tools',
      description:
        'Shows what tools take and return, in full. Only needed where a signature is not enough.',
      inputSchema: {
        type: 'object',
        properties: {
          names: {
            type: 'array',
            items: { type: 'string' },
            minItems: 1,
            maxItems: MOST_DESCRIBED,
          },
        },
        required: ['names'],
      },
    },
    {
      name: CALL_TOOL,
      title: 'Call a tool',
      description: `Calls a tool that ${SEARCH_TOOLS} found.`,
      inputSchema: {
        type: 'object',
        properties: {
          name: {
            type: 'string',
            description: 'As in its signature, such as "github.create_issue"',
          },
          arguments: { type: 'object', description: 'As its signature says' },
        },
        required: ['name', 'arguments'],
      },
    },
  ];
}

/** Describes each server by words of its tools' names, without any other text from the server. */
function serverLines(tools: readonly DescribedTool[]): readonly string[] {
  let length = 0;
  return [
    'Servers:',
    ...[...groupBy(tools, ({ server }) => server)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([server, own]) => {
        const topics = topicsOf(server, own).join(', ');
        const line = length > LONGEST_LIST || topics === '' ? server : `${server}: ${topics}`;
        length += line.length;
        return `- ${line}`;
      }),
  ];
}

/** The most frequent words of its tools' names, each as it first occurs. */
function topicsOf(server: string, tools: readonly DescribedTool[]): readonly string[] {
  const own = new Set(wordsOf(server));
  const counts = new Map<string, { readonly word: string; count: number }>();
  for (const { tool } of tools) {
    for (const word of partsOf(tool)) {
      const [stem] = wordsOf(word);
      if (stem === undefined || own.has(stem)) continue;
      const known = counts.get(stem) ?? { word, count: 0 };
      known.count += 1;
      counts.set(stem, known);
    }
  }
  return [...counts.values()]
    .toSorted((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
    .slice(0, MOST_TOPICS)
    .map(({ word }) => word);
}

// Generates TypeScript source for the tools of a server: a typed function for each tool, which calls it through a host.
// Names and descriptions come from the server, and none of their text can become code. Pure.

import type { HostTool } from '@plugboard/host';
import {
  docComment,
  inPascalCase,
  propertyKey,
  stringLiteral,
  toTypeScript,
} from '@plugboard/host/adapters';

type ListedTool = Pick<HostTool, 'tool' | 'title' | 'description' | 'inputSchema' | 'outputSchema'>;

const IMPORTED = ['CallSettings', 'Host', 'ToolOutcome', 'Promise', 'Parameters'];

/** The order in which the tools are listed does not change the text. */
export function typedClient(server: string, listed: readonly ListedTool[]): string {
  const tools = listed.toSorted((a, b) => (a.tool < b.tool ? -1 : 1));
  const names = new Names(IMPORTED);
  const group = names.take(`${inPascalCase(server)}Tools`);
  const typed = tools.map((tool) => typesOf(tool, names));
  const functionName = names.take(`${group.slice(0, 1).toLowerCase()}${group.slice(1)}`);
  const keys = tools.map(({ tool }) =>
    tool === '__proto__' ? '["__proto__"]' : propertyKey(tool),
  );
  return [
    header(server),
    'import type { CallSettings, Host, ToolOutcome } from "@plugboard/host";\n\n',
    ...typed.flatMap(({ types }) => types),
    `export interface ${group} {\n`,
    ...typed.map(({ comment, signature }, index) =>
      indented(`${comment}readonly ${keys[index]}: ${signature};\n`),
    ),
    '}\n\n',
    docComment(
      `Calls the tools of ${stringLiteral(server)} through a host, or a conversation of it.`,
    ),
    `export function ${functionName}(\n  host: Pick<Host, "call">,\n  server = ${stringLiteral(server)},\n): ${group} {\n`,
    CALLING,
    '  return {\n',
    ...tools.map(({ tool }, index) => `    ${keys[index]}: calling(${stringLiteral(tool)}),\n`),
    '  };\n}\n',
  ].join('');
}

/** The generated code requests whole results, which are not cut for a model. */
const CALLING = `  const calling = (tool: string) => (given: object = {}, settings: CallSettings = {}) =>
    host.call({ server, tool }, given as Parameters<Host["call"]>[1], {
      result: "whole",
      ...settings,
    }) as Promise<never>;
`;

function header(server: string): string {
  return `// The tools of the MCP server ${stringLiteral(server)}, as functions with types.
// Written by "plugboard generate": do not edit it, but write it again.

`;
}

interface TypedTool {
  readonly types: readonly string[];
  readonly comment: string;
  readonly signature: string;
}

function typesOf(tool: ListedTool, names: Names): TypedTool {
  const { title, description, inputSchema, outputSchema } = tool;
  const base = inPascalCase(tool.tool);
  const given = names.take(`${base}Arguments`);
  const taken = toTypeScript(inputSchema, given, (wish) => names.take(wish));
  const result = outputSchema === undefined ? undefined : names.take(`${base}Result`);
  const returned =
    outputSchema === undefined || result === undefined
      ? new Map<string, string>()
      : toTypeScript(outputSchema, result, (wish) => names.take(wish)).types;
  const about = [title ?? '', description].filter((text) => text !== '').join(': ');
  const mark = taken.takesNothing ? '?' : '';
  return {
    types: [...taken.types, ...returned].map(
      ([name, type]) => `export type ${name} = ${type === 'unknown' ? ANY_OBJECT : type};\n\n`,
    ),
    comment: docComment(about),
    signature: `(given${mark}: ${given}, settings?: CallSettings) => Promise<ToolOutcome${result === undefined ? '' : `<${result}>`}>`,
  };
}

const ANY_OBJECT = '{ [name: string]: unknown }';

/** Makes names unique by adding a number. */
class Names {
  readonly #taken: Set<string>;

  constructor(taken: readonly string[]) {
    this.#taken = new Set(taken);
  }

  take(wish: string): string {
    let name = wish;
    for (let number = 2; this.#taken.has(name); number += 1) name = `${wish}${number}`;
    this.#taken.add(name);
    return name;
  }
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

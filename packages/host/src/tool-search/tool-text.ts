// The searchable text of a tool: the words of its five fields, and one text for the encoder. Definitions come from servers,
// so all sizes are bounded. Pure.

import { isObject, type JsonObject } from '@plugboard/base';
import { wordsOf } from './words.ts';

/** The part of a tool that is used. */
export interface SearchableTool {
  /** Unique. */
  readonly name: string;
  readonly server: string;
  /** Its name on its server. */
  readonly tool: string;
  readonly title?: string | undefined;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export const FIELDS = ['name', 'server', 'parameters', 'description', 'details'] as const;
export type FieldWords = Readonly<Record<(typeof FIELDS)[number], readonly string[]>>;

const MOST_PARAMETERS = 100;
const DEEPEST = 4;
const MOST_CHARACTERS = 4000;
/** The most important part of a description is its beginning. */
const MEANING_OF_DESCRIPTION = 400;
const MEANING_OF_PARAMETERS = 160;

export interface ToolText {
  readonly words: FieldWords;
  readonly meaning: string;
}

export function toolText(tool: SearchableTool): ToolText {
  const { server, title = '', description } = tool;
  const parameters = parametersOf(tool.inputSchema);
  const names = parameters.map(({ name }) => name).join(' ');
  return {
    words: {
      name: wordsOf(tool.tool),
      server: wordsOf(server),
      parameters: wordsOf(names),
      description: wordsOf(`${title} ${description.slice(0, MOST_CHARACTERS)}`),
      details: wordsOf(
        parameters
          .map((parameter) => parameter.description)
          .join(' ')
          .slice(0, MOST_CHARACTERS),
      ),
    },
    meaning: [
      `${server.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')}.`,
      `${tool.tool}.`,
      description.slice(0, MEANING_OF_DESCRIPTION),
      names.slice(0, MEANING_OF_PARAMETERS),
    ].join(' '),
  };
}

interface Parameter {
  readonly name: string;
  readonly description: string;
}

/** Includes nested parameters. */
function parametersOf(schema: JsonObject): readonly Parameter[] {
  const found: Parameter[] = [];
  const read = (value: unknown, depth: number): void => {
    if (!isObject(value) || depth > DEEPEST) return;
    read(value['items'], depth + 1);
    if (!isObject(value['properties'])) return;
    for (const [name, inner] of Object.entries(value['properties'])) {
      if (found.length >= MOST_PARAMETERS) return;
      const description = isObject(inner) ? inner['description'] : undefined;
      found.push({ name, description: typeof description === 'string' ? description : '' });
      read(inner, depth + 1);
    }
  };
  read(schema, 0);
  return found;
}

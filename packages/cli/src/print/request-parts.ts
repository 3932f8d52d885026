// The parts of the next request to a model: the source of each, its tokens, and its text as the model reads it.

import {
  type Message,
  type ModelTool,
  type PromptPart,
  tokensOfMessage,
  tokensOfText,
} from '@plugboard/agent';
import { sanitise } from './sanitise.ts';
import { table } from './table.ts';

export interface RequestPart {
  readonly what: 'system' | 'tools' | 'message';
  /** Who wrote it. */
  readonly from: string;
  readonly tokens: number;
  readonly text: string;
}

export interface NextRequest {
  readonly system: readonly PromptPart[];
  readonly tools: readonly ModelTool[];
  /** `undefined` for the agent's own tools. */
  readonly serverOf: (tool: string) => string | undefined;
  readonly messages: readonly Message[];
}

/** In the order in which the model reads them. */
export function requestParts(request: NextRequest): readonly RequestPart[] {
  const { system, tools, serverOf, messages } = request;
  const servers = [...new Set(tools.map(({ name }) => serverOf(name)))];
  return [
    ...system.map(({ from, text }): RequestPart => {
      return { what: 'system', from, text, tokens: tokensOfText(text) };
    }),
    ...servers.map((server): RequestPart => {
      const own = tools.filter(({ name }) => serverOf(name) === server);
      const tokens = own.reduce((sum, tool) => sum + tokensOfText(JSON.stringify(tool)), 0);
      const from = server === undefined ? 'Plugboard' : `server ${server}`;
      return { what: 'tools', from, tokens, text: JSON.stringify(own, undefined, 2) };
    }),
    ...messages.map((message): RequestPart => {
      const tokens = tokensOfMessage(message);
      return { what: 'message', from: authorOf(message), tokens, text: messageText(message) };
    }),
  ];
}

function authorOf(message: Message): string {
  switch (message.kind) {
    case 'user': {
      const labels = message.parts.flatMap((part) =>
        part.kind === 'attachment' ? [part.label] : [],
      );
      return ['you', ...labels].join(', ');
    }
    case 'assistant':
      return 'the model';
    case 'tool':
      return [...new Set(message.answers.map(({ tool }) => tool))].join(', ');
    default:
      return message satisfies never;
  }
}

function messageText(message: Message): string {
  const parts =
    message.kind === 'tool' ? message.answers.flatMap((answer) => answer.parts) : message.parts;
  return parts
    .map((part) => {
      switch (part.kind) {
        case 'text':
        case 'reasoning':
        case 'attachment':
          return part.text;
        case 'image':
          return `(an image, ${part.mediaType})`;
        case 'call':
          return `${part.tool} ${JSON.stringify(part.arguments)}`;
        default:
          return part satisfies never;
      }
    })
    .join('\n');
}

const MAX_ROWS = 40;

export function partsTable(parts: readonly RequestPart[], columns: number): string {
  const rows = parts.map((part, index) => ({ ...part, number: index + 1 }));
  const shown =
    rows.length <= MAX_ROWS ? rows : [...rows.slice(0, 12), ...rows.slice(28 - MAX_ROWS)];
  const left = rows.length - shown.length;
  const text = table(
    [
      { title: 'PART', cell: ({ number }) => String(number) },
      { title: 'WHAT', cell: ({ what }) => what },
      { title: 'TOKENS', cell: ({ tokens }) => tokens.toLocaleString('en-US') },
      { title: 'FROM', cell: ({ from }) => from },
      { title: 'BEGINS WITH', cell: ({ text: whole }) => whole.slice(0, 200), from: 60 },
    ],
    shown,
    columns,
  );
  return left === 0 ? text : `${text}(${left} more parts in between)\n`;
}

export function partsText(parts: readonly RequestPart[]): string {
  return parts
    .map(
      ({ what, from, tokens, text }) =>
        `── ${what}, from ${from}, about ${tokens} tokens ──\n${sanitise(text)}`,
    )
    .join('\n\n');
}

// Resources, prompts and skills as tables and text.

import {
  type HostPrompt,
  type HostResource,
  type HostSkill,
  type HostTemplate,
  type PromptOutcome,
} from '@plugboard/host';
import type { Output } from '../terminal.ts';
import { paint } from './paint.ts';
import { answerAndNotes } from './result-notes.ts';
import { sanitise } from './sanitise.ts';
import { type Column, table } from './table.ts';

interface ResourceRow {
  readonly server: string;
  readonly address: string;
  readonly type: string;
  readonly about: string;
}

const RESOURCES: readonly Column<ResourceRow>[] = [
  { title: 'SERVER', cell: ({ server }) => server, from: 60 },
  { title: 'URI', cell: ({ address }) => address, isName: true },
  { title: 'TYPE', cell: ({ type }) => type, from: 100 },
  { title: 'DESCRIPTION', cell: ({ about }) => about, from: 80 },
];

/** Resources first, then templates, which have braces in their URI. */
export function resourceTable(
  resources: readonly HostResource[],
  templates: readonly HostTemplate[],
  screen: number,
): string {
  const rows = [
    ...resources.map((resource) => ({ ...rowOf(resource), address: resource.uri })),
    ...templates.map((template) => ({ ...rowOf(template), address: template.uriTemplate })),
  ];
  return table(RESOURCES, rows, screen);
}

function rowOf(item: HostResource | HostTemplate): Omit<ResourceRow, 'address'> {
  const { server, title, name, description, mimeType } = item;
  const about = description === '' ? (title ?? name) : description;
  return { server, type: mimeType ?? '-', about };
}

const PROMPTS: readonly Column<HostPrompt>[] = [
  { title: 'SERVER', cell: ({ server }) => server, from: 60 },
  { title: 'PROMPT', cell: ({ prompt }) => prompt, isName: true },
  { title: 'ARGUMENTS', cell: argumentWords, from: 80 },
  { title: 'DESCRIPTION', cell: ({ description, title }) => description || (title ?? '') },
];

export function promptTable(prompts: readonly HostPrompt[], screen: number): string {
  return table(PROMPTS, prompts, screen);
}

/** `city [state]`: optional arguments are in brackets. */
function argumentWords({ arguments: takes }: HostPrompt): string {
  const words = takes.map(({ name, required }) => (required ? name : `[${name}]`));
  return words.length === 0 ? '-' : words.join(' ');
}

const SKILLS: readonly Column<HostSkill>[] = [
  { title: 'SERVER', cell: ({ server }) => server, from: 60 },
  { title: 'SKILL', cell: ({ name }) => name, isName: true },
  {
    title: 'FILES',
    cell: ({ files }) => (files === 'dynamic' ? files : String(files.length)),
    from: 60,
  },
  { title: 'DESCRIPTION', cell: ({ description }) => description },
];

export function skillTable(skills: readonly HostSkill[], screen: number): string {
  return table(SKILLS, skills, screen);
}

/** The text of a single message, or of each message below its role. */
export function promptText(
  { messages }: PromptOutcome & { readonly kind: 'result' },
  out: Output,
): string {
  const texts = messages.map(({ role, parts }) => {
    const { answer: text } = answerAndNotes(parts);
    const shown = out.isTty ? sanitise(text) : text;
    return messages.length === 1 ? shown : `${paint(out, 'bold', `${role}:`)}\n${shown}`;
  });
  const whole = texts.join('\n\n');
  return whole === '' || whole.endsWith('\n') ? whole : `${whole}\n`;
}

// Completions at the cursor. After a slash at the beginning: commands, and the prompts of servers with their arguments.
// After `@`: files of the folder, and the resources of connected servers.

import { dirname, resolve, sep } from 'node:path';
import type { Host, HostPrompt } from '@plugboard/host';
import { listFolder } from '@plugboard/host/configuration';
import type { Choice, Completions } from './chat.ts';
import type { SlashCommand } from './slash-commands.ts';

export interface CompletionSources {
  readonly host: () => Promise<Pick<Host, 'prompts' | 'resources' | 'servers'>>;
  readonly commands: readonly SlashCommand[];
  readonly folder: string;
}

interface CompletionRequest {
  readonly typed: string;
  readonly start: number;
  readonly signal: AbortSignal;
}

const MOST_CHOICES = 20;

export async function completionsAt(
  sources: CompletionSources,
  before: string,
  signal: AbortSignal,
): Promise<Completions> {
  const slash = /^\/([\w:.-]*)$/.exec(before);
  if (slash !== null) return slashChoices(sources, { typed: slash[1] ?? '', start: 0, signal });
  const argument = /^\/([\w-]+):([\w.-]+)\s(?:.*\s)?(\w+)=(\S*)$/s.exec(before);
  if (argument !== null) return argumentChoices(sources, before, signal);
  const mention = /(?:^|\s)@(\S*)$/.exec(before);
  if (mention === null) return { start: before.length, choices: [] };
  const typed = mention[1] ?? '';
  return mentionChoices(sources, { typed, start: before.length - typed.length - 1, signal });
}

async function slashChoices(
  sources: CompletionSources,
  { typed, start, signal }: CompletionRequest,
): Promise<Completions> {
  const commands = sources.commands.map(({ name, usage, about }) => ({
    text: `/${name}${usage === '' ? '' : ' '}`,
    label: `/${name}${usage === '' ? '' : ` ${usage}`}`,
    detail: about,
    name,
  }));
  const prompts = (await promptsOf(sources, signal)).map((prompt) => {
    const name = `${prompt.server}:${prompt.prompt}`;
    const parameters = prompt.arguments.map((one) =>
      one.required ? `${one.name}=` : `[${one.name}=]`,
    );
    return {
      text: `/${name} `,
      label: `/${[name, ...parameters].join(' ')}`,
      detail: prompt.title ?? prompt.description,
      name,
    };
  });
  const matching = [...commands, ...prompts].filter(({ name }) => name.startsWith(typed));
  const choices = matching
    .slice(0, MOST_CHOICES)
    .map(({ text, label, detail }) => ({ text, label, detail }));
  return { start, choices };
}

/** Only from connected servers: typing must not wait for a server. */
async function promptsOf(
  sources: CompletionSources,
  signal: AbortSignal,
): Promise<readonly HostPrompt[]> {
  const host = await sources.host();
  const servers = readyServers(host);
  if (servers.length === 0) return [];
  return (await host.prompts.list({ servers, signal })).prompts;
}

async function argumentChoices(
  sources: CompletionSources,
  before: string,
  signal: AbortSignal,
): Promise<Completions> {
  const [head = '', ...rest] = before.slice(1).split(/\s+/);
  const [server = '', prompt = ''] = head.split(':');
  const pairs = rest.map((word) => word.split('=', 2) as [string, string | undefined]);
  const [argument, typed = ''] = pairs.at(-1) ?? ['', ''];
  const others = Object.fromEntries(pairs.slice(0, -1).map(([name, value]) => [name, value ?? '']));
  const host = await sources.host();
  const outcome = await host.prompts.complete(
    { server, prompt, argument, typed, others },
    { signal },
  );
  const values = outcome.kind === 'result' ? outcome.values : [];
  const choices = values.slice(0, MOST_CHOICES).map((value) => ({ text: value, label: value }));
  return { start: before.length - typed.length, choices };
}

async function mentionChoices(
  sources: CompletionSources,
  { typed, start, signal }: CompletionRequest,
): Promise<Completions> {
  const files = await fileChoices(sources.folder, typed);
  const host = await sources.host();
  const servers = readyServers(host);
  const listed =
    servers.length === 0 ? [] : (await host.resources.list({ servers, signal })).resources;
  const resources = listed
    .map(({ server, uri, name }) => ({
      text: `@${server}:${uri} `,
      label: `@${server}:${uri}`,
      detail: name,
    }))
    .filter(({ label }) => label.slice(1).startsWith(typed));
  return { start, choices: [...files, ...resources].slice(0, MOST_CHOICES) };
}

/** Completes one folder at a time, as a shell does. */
async function fileChoices(folder: string, typed: string): Promise<readonly Choice[]> {
  const parent = typed.endsWith('/') ? typed : dirname(typed) === '.' ? '' : `${dirname(typed)}/`;
  const absolute = resolve(folder, parent);
  if (absolute !== folder && !absolute.startsWith(`${folder}${sep}`)) return [];
  const prefix = typed.slice(parent.length);
  return (await listFolder(absolute))
    .filter(
      ({ name }) => name.startsWith(prefix) && (prefix.startsWith('.') || !name.startsWith('.')),
    )
    .slice(0, MOST_CHOICES)
    .map(({ name, kind }) => {
      const path = `${parent}${name}`;
      // After the name of a folder the user continues the path, and after that of a file, the message.
      if (kind === 'folder') return { text: `@${path}/`, label: `@${path}/` };
      const shown = /\s/.test(path) ? `@"${path}"` : `@${path}`;
      return { text: `${shown} `, label: shown };
    });
}

function readyServers(host: Pick<Host, 'servers'>): readonly string[] {
  return host.servers.filter(({ state }) => state.kind === 'ready').map(({ name }) => name);
}

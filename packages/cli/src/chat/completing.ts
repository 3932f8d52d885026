// What could be at the cursor. After a slash at the beginning: commands, and the prompts of servers with their
// arguments. After `@`: files of the folder, and the resources of servers that are connected.

import { dirname, resolve, sep } from 'node:path';
import type { Host, HostPrompt } from '@plugboard/host';
import { listFolder } from '@plugboard/host/configuration';
import type { Choice, Completions } from './chat.ts';
import type { SlashCommand } from './slash-commands.ts';

export interface CompletingPorts {
  readonly host: () => Promise<Pick<Host, 'prompts' | 'resources' | 'servers'>>;
  readonly commands: readonly SlashCommand[];
  readonly folder: string;
}

interface CompletionRequest {
  readonly typed: string;
  readonly start: number;
  readonly signal: AbortSignal;
}

const MOST = 20;

export async function completionsAt(
  ports: CompletingPorts,
  before: string,
  signal: AbortSignal,
): Promise<Completions> {
  const slash = /^\/([\w:.-]*)$/.exec(before);
  if (slash !== null) return slashChoices(ports, { typed: slash[1] ?? '', start: 0, signal });
  const argument = /^\/([\w-]+):([\w.-]+)\s(?:.*\s)?(\w+)=(\S*)$/s.exec(before);
  if (argument !== null) return argumentChoices(ports, before, signal);
  const mention = /(?:^|\s)@(\S*)$/.exec(before);
  if (mention === null) return { start: before.length, choices: [] };
  const typed = mention[1] ?? '';
  return mentionChoices(ports, { typed, start: before.length - typed.length - 1, signal });
}

async function slashChoices(
  ports: CompletingPorts,
  { typed, start, signal }: CompletionRequest,
): Promise<Completions> {
  const own = ports.commands.map(({ name, usage, about }) => ({
    text: `/${name}${usage === '' ? '' : ' '}`,
    label: `/${name}${usage === '' ? '' : ` ${usage}`}`,
    detail: about,
    name,
  }));
  const prompts = (await promptsOf(ports, signal)).map((prompt) => {
    const name = `${prompt.server}:${prompt.prompt}`;
    const takes = prompt.arguments.map((one) => (one.required ? `${one.name}=` : `[${one.name}=]`));
    return {
      text: `/${name} `,
      label: `/${[name, ...takes].join(' ')}`,
      detail: prompt.title ?? prompt.description,
      name,
    };
  });
  const fitting = [...own, ...prompts].filter(({ name }) => name.startsWith(typed));
  const choices = fitting
    .slice(0, MOST)
    .map(({ text, label, detail }) => ({ text, label, detail }));
  return { start, choices };
}

/** Only of connected servers: a user who types must not wait for a server. */
async function promptsOf(
  ports: CompletingPorts,
  signal: AbortSignal,
): Promise<readonly HostPrompt[]> {
  const host = await ports.host();
  const servers = readyServers(host);
  if (servers.length === 0) return [];
  return (await host.prompts.list({ servers, signal })).prompts;
}

async function argumentChoices(
  ports: CompletingPorts,
  before: string,
  signal: AbortSignal,
): Promise<Completions> {
  const [head = '', ...rest] = before.slice(1).split(/\s+/);
  const [server = '', prompt = ''] = head.split(':');
  const pairs = rest.map((word) => word.split('=', 2) as [string, string | undefined]);
  const [argument, typed = ''] = pairs.at(-1) ?? ['', ''];
  const others = Object.fromEntries(pairs.slice(0, -1).map(([name, value]) => [name, value ?? '']));
  const host = await ports.host();
  const outcome = await host.prompts.complete(
    { server, prompt, argument, typed, others },
    { signal },
  );
  const values = outcome.kind === 'result' ? outcome.values : [];
  const choices = values.slice(0, MOST).map((value) => ({ text: value, label: value }));
  return { start: before.length - typed.length, choices };
}

async function mentionChoices(
  ports: CompletingPorts,
  { typed, start, signal }: CompletionRequest,
): Promise<Completions> {
  const files = await fileChoices(ports.folder, typed);
  const host = await ports.host();
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
  return { start, choices: [...files, ...resources].slice(0, MOST) };
}

/** One folder at a time, as a shell completes. */
async function fileChoices(folder: string, typed: string): Promise<readonly Choice[]> {
  const parent = typed.endsWith('/') ? typed : dirname(typed) === '.' ? '' : `${dirname(typed)}/`;
  const absolute = resolve(folder, parent);
  if (absolute !== folder && !absolute.startsWith(`${folder}${sep}`)) return [];
  const begun = typed.slice(parent.length);
  return (await listFolder(absolute))
    .filter(
      ({ name }) => name.startsWith(begun) && (begun.startsWith('.') || !name.startsWith('.')),
    )
    .slice(0, MOST)
    .map(({ name, kind }) => {
      const path = `${parent}${name}`;
      // Into a folder one types on; after a file a word follows.
      if (kind === 'folder') return { text: `@${path}/`, label: `@${path}/` };
      const shown = /\s/.test(path) ? `@"${path}"` : `@${path}`;
      return { text: `${shown} `, label: shown };
    });
}

function readyServers(host: Pick<Host, 'servers'>): readonly string[] {
  return host.servers.filter(({ state }) => state.kind === 'ready').map(({ name }) => name);
}

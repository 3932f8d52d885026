// The candidates for completion at the cursor, each with a short description. Names come from files and from earlier runs,
// and no server is started. The code that prints the candidates sanitises text from servers.

import { isObject, type JsonObject } from '@plugboard/base';
import { EDITABLE_SCOPES, hostEnvironment, listFolder } from '@plugboard/host/configuration';
import type { HostTool } from '@plugboard/host/known-tools';
import type { Context } from '../context.ts';
import { SHELLS } from '../print/completion-scripts.ts';
import { typesOfArgument } from '../given/argument-types.ts';
import { type Cursor, visibleCommands, visibleOptions } from './cursor.ts';

export interface Candidate {
  readonly value: string;
  readonly description: string;
}

export async function candidatesAt(
  { want, typed, prefix }: Cursor,
  context: Context,
): Promise<readonly Candidate[]> {
  switch (want.kind) {
    case 'nothing':
      return [];
    case 'file':
      return filesAt(typed);
    case 'command':
      return visibleCommands(want.of).map((command) => ({
        value: command.name(),
        description: command.description(),
      }));
    case 'option':
      return visibleOptions(want.of).map(({ long, short, description }) => ({
        value: long ?? short ?? '',
        description,
      }));
    case 'value': {
      const place = { before: want.before, typed: typed.slice(prefix.length), context };
      const values = await valuesOf(want.name, place);
      return prefixed(prefix, values);
    }
    default:
      return want satisfies never;
  }
}

interface CursorContext {
  /** The arguments before the cursor. */
  readonly before: readonly string[];
  readonly typed: string;
  readonly context: Context;
}

/** `name` is the name of the option or the argument in the help. */
async function valuesOf(name: string, place: CursorContext): Promise<readonly Candidate[]> {
  const [server = '', tool = '', ...given] = place.before;
  switch (name) {
    case 'scope':
      return plainCandidates(EDITABLE_SCOPES);
    case 'transport':
      return plainCandidates((await import('./new-entry.ts')).TRANSPORTS);
    case 'save':
      return filesAt(place.typed);
    case 'shell':
      return plainCandidates(SHELLS);
    case 'name':
    case 'server':
      return servers(place.context);
    case 'tool':
      return (await toolsOf(server, place.context)).map((known) => ({
        value: known.tool,
        description: known.description,
      }));
    case 'arguments': {
      const known = (await toolsOf(server, place.context)).find(
        (candidate) => candidate.tool === tool,
      );
      return argumentsOf(known?.inputSchema ?? {}, { ...place, before: given });
    }
    default:
      return [];
  }
}

function plainCandidates(values: readonly string[]): readonly Candidate[] {
  return values.map((value) => ({ value, description: '' }));
}

function prefixed(prefix: string, candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.map(({ value, description }) => ({ value: prefix + value, description }));
}

async function servers(context: Context): Promise<readonly Candidate[]> {
  const { readConfigured } = await import('./configured.ts');
  const { serverRows } = await import('../print/servers.ts');
  return serverRows(await readConfigured(context))
    .filter(({ name }) => isName(name))
    .map(({ name, state, target }) => ({
      value: name,
      description: state === 'idle' ? (target ?? '') : state,
    }));
}

async function toolsOf(server: string, context: Context): Promise<readonly HostTool[]> {
  const { knownTools } = await import('@plugboard/host/known-tools');
  const { readConfigured, usableServers } = await import('./configured.ts');
  const configured = await readConfigured(context);
  const { tools } = await knownTools(
    configured.environment,
    usableServers(configured),
    configured.configuration.pins,
  );
  return tools.filter((known) => known.server === server && isName(known.tool));
}

/** A name that begins with a dash would be parsed as an option. */
function isName(name: string): boolean {
  return !name.startsWith('-');
}

const ARGUMENT = /^([^=:]+)(:?=)(.*)$/s;

/** Completes `key=`, then the values in the schema, or a path after `@`. */
async function argumentsOf(
  schema: JsonObject,
  place: CursorContext,
): Promise<readonly Candidate[]> {
  const [, key = '', operator, rest = ''] = ARGUMENT.exec(place.typed) ?? [];
  if (operator !== undefined) {
    const prefix = `${key}${operator}`;
    if (rest.startsWith('@')) return prefixed(`${prefix}@`, await filesAt(rest.slice(1)));
    return prefixed(prefix, plainCandidates(namedValues(schema, key)));
  }
  const given = new Set(place.before.map((word) => ARGUMENT.exec(word)?.[1]));
  return Object.entries(propertiesOf(schema))
    .filter(([name]) => ARGUMENT.exec(`${name}=`)?.[1] === name && isName(name) && !given.has(name))
    .map(([name, property]) => ({
      value: `${name}=`,
      description: aboutArgument(property, typesOfArgument(schema, name)),
    }));
}

function propertiesOf({ properties }: JsonObject): Readonly<Record<string, unknown>> {
  return isObject(properties) ? properties : {};
}

function aboutArgument(property: unknown, types: readonly string[]): string {
  const description = isObject(property) ? property['description'] : undefined;
  const kind = types.join(' or ');
  if (typeof description !== 'string') return kind;
  return kind === '' ? description : `${kind}: ${description}`;
}

function namedValues(schema: JsonObject, key: string): readonly string[] {
  const properties = propertiesOf(schema);
  const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
  const named: unknown = isObject(property) ? property['enum'] : undefined;
  if (Array.isArray(named)) return named.filter((value) => !isObject(value)).map(String);
  return typesOfArgument(schema, key).includes('boolean') ? ['true', 'false'] : [];
}

/** Paths are relative to the working folder, without `~` and variables, as in the argument itself. */
async function filesAt(typed: string): Promise<readonly Candidate[]> {
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
  const items = await listFolder(folder === '' ? hostEnvironment().cwd : folder);
  const wantsHidden = typed.slice(folder.length).startsWith('.');
  return items
    .filter(({ name }) => wantsHidden || !name.startsWith('.'))
    .map(({ name, kind }) => ({
      value: `${folder}${name}${kind === 'folder' ? '/' : ''}`,
      description: '',
    }));
}

// `plugboard secret set|list|remove`: stores secrets for servers outside configuration files. A value comes from a hidden
// question or a pipe, never from an argument, and is never printed.

import {
  closestName,
  hostEnvironment,
  isSecretName,
  type OwnSecrets,
  secretStore,
  userSecrets,
} from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../print/json.ts';
import { storeDocument, storeWords } from '../print/keychain-words.ts';
import type { Standpoint } from '../print/place.ts';
import { placeholderOf, secretError, secretTable, storedWords } from '../print/secrets.ts';
import { didYouMean, UsageError } from '../usage-error.ts';
import { readPiped } from './read-piped.ts';

interface OpenedStore {
  readonly store: OwnSecrets;
  readonly from: Standpoint;
}

function open(): OpenedStore {
  const environment = hostEnvironment();
  return { store: userSecrets(secretStore(environment)), from: environment };
}

export interface SetRequest {
  readonly name: string;
  /** Whether the value is on stdin. */
  readonly isPiped: boolean;
  /** Whether there are other words on the command line, such as the value. */
  readonly hasMore: boolean;
}

export async function setSecret(context: Context, request: SetRequest): Promise<ExitCode> {
  const { name } = request;
  if (request.hasMore || name.includes('=')) throw valueAsArgument();
  if (!isSecretName(name)) throw secretError({ kind: 'invalid-name' }, open().from);
  const opened = open();
  // Checked first, so that the user does not type a value in vain.
  const isReplaced = await isStored(opened, name);
  const value = await readValue(context, request);
  const stored = await opened.store.set(name, value);
  if (!stored.ok) throw secretError(stored.error, opened.from);
  if (context.isJson) {
    const placeholder = placeholderOf(name);
    printJson(context, { kind: isReplaced ? 'replaced' : 'stored', name, placeholder });
  } else {
    context.terminal.err.write(storedWords(name, isReplaced ? 'replaced' : 'stored'));
    await reportStore(context, opened);
  }
  return EXIT.ok;
}

/** Reports where the secret is stored, unless the user chose the file store. */
async function reportStore({ terminal }: Context, { store, from }: OpenedStore): Promise<void> {
  const used = await store.inUse();
  const isChosen = used.ok && used.value.kind === 'file' && used.value.why === 'chosen';
  if (used.ok && !isChosen) terminal.err.write(storeWords(used.value, from));
}

export async function listSecrets(context: Context): Promise<ExitCode> {
  const { out, err } = context.terminal;
  const { store, from } = open();
  const names = await store.names();
  if (!names.ok) throw secretError(names.error, from);
  const used = await store.inUse();
  if (!used.ok) throw secretError(used.error, from);
  if (context.isJson) {
    const secrets = names.value.map((name) => ({ name, placeholder: placeholderOf(name) }));
    printJson(context, { store: storeDocument(used.value), secrets });
  } else if (names.value.length > 0) {
    out.write(secretTable(names.value, out.columns));
    err.write(storeWords(used.value, from));
  } else {
    err.write('No secrets are stored.\nStore one: plugboard secret set NAME\n');
  }
  return EXIT.ok;
}

export async function removeSecret(context: Context, name: string): Promise<ExitCode> {
  const opened = open();
  const removed = await opened.store.remove(name);
  if (!removed.ok) throw secretError(removed.error, opened.from);
  if (!removed.value) throw await unknownSecret(opened, name);
  if (context.isJson) printJson(context, { kind: 'removed', name });
  else context.terminal.err.write(`Removed "${name}".\n`);
  return EXIT.ok;
}

async function unknownSecret({ store }: OpenedStore, name: string): Promise<UsageError> {
  const names = await store.names();
  const nearest = names.ok ? closestName(name, names.value) : undefined;
  return new UsageError(
    `there is no secret "${name}"`,
    didYouMean(nearest, 'see the list: plugboard secret list'),
  );
}

async function isStored({ store, from }: OpenedStore, name: string): Promise<boolean> {
  const names = await store.names();
  if (names.ok) return names.value.includes(name);
  const { error } = names;
  // A damaged secret is repaired by storing it again.
  if (error.kind === 'damaged' && error.names.includes(name)) return true;
  throw secretError(error, from);
}

async function readValue(context: Context, { name, isPiped }: SetRequest): Promise<string> {
  const { input } = context.terminal;
  if (!input.isTty) return pipedValue(context, name);
  if (isPiped) {
    throw new UsageError(
      '--stdin reads from a pipe, and there is none',
      `leave it out to be asked, or pipe the value: ${pipeTo(name)}`,
    );
  }
  if (context.isJson) {
    throw new UsageError('with --json nothing is asked', `pipe the value: ${pipeTo(name)}`);
  }
  const value = await input.ask(`Value of "${name}" (not shown): `, { hidden: true });
  if (value === undefined) {
    throw new UsageError('no value was given, so nothing is stored', 'run the command again');
  }
  if (!value.includes('\n')) return value;
  throw new UsageError(
    'what you pasted has several lines, so nothing is stored',
    `pipe it from a file: plugboard secret set ${name} < FILE`,
  );
}

async function pipedValue({ terminal }: Context, name: string): Promise<string> {
  const text = await readPiped(terminal.input, {
    notText: secretError({ kind: 'invalid-value', reason: 'not-text' }, open().from),
    tooLong: new UsageError(
      'the input is too long to be a secret',
      `pipe only the value: ${pipeTo(name)}`,
    ),
  });
  // Removes the line break of `echo`, since no token ends with one.
  return text.replace(/\r?\n$/, '');
}

function pipeTo(name: string): string {
  return `printf %s "$VALUE" | plugboard secret set ${name}`;
}

/** The message does not repeat the words, which may be the value. */
function valueAsArgument(): UsageError {
  return new UsageError(
    'a secret is not taken from the command line, where other programs and the history of your shell can see it',
    'clear it from there, and give only the name; the value is asked for: plugboard secret set NAME',
  );
}

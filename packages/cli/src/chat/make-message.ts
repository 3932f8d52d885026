// Builds a message from the typed text, the pasted images, and the files and resources that the text mentions with `@`.
// They are read when the turn begins, not when the user typed them.

import { relative, resolve, sep } from 'node:path';
import { readPicture, type UserMessage, type UserPart } from '@plugboard/agent';
import { leadsOutOf, readTextFile } from '@plugboard/host/configuration';
import type { Notice, PastedImage } from './chat.ts';
import { type Mention, mentionsIn } from './mentions.ts';
import type { AttachedResources } from './attached-resources.ts';

export interface TypedMessage {
  readonly text: string;
  readonly images: readonly PastedImage[];
}

export interface MessageSources {
  readonly folder: string;
  readonly resources: AttachedResources;
  readonly notice: (notice: Notice) => void;
  readonly signal: AbortSignal;
}

const MAX_FILE_BYTES = 512 * 1024;

export async function makeMessage(
  { text, images }: TypedMessage,
  sources: MessageSources,
): Promise<UserMessage> {
  const mentions = mentionsIn(text);
  // Read in parallel; notices keep the order of the text.
  const files = await Promise.all(
    mentions.filter(isPath).map(async ({ path }) => {
      const notices: Notice[] = [];
      const parts = await fileParts(path, { ...sources, notice: (notice) => notices.push(notice) });
      return { parts, notices };
    }),
  );
  const resources = await sources.resources.attach(mentions.filter(isResource), sources.signal);
  for (const { notices } of [...files, resources]) {
    for (const notice of notices) sources.notice(notice);
  }
  return {
    kind: 'user',
    parts: [
      { kind: 'text', text },
      ...[...files, resources].flatMap(({ parts }) => parts),
      ...images.map((image) => ({ kind: 'image', ...image }) as const),
    ],
  };
}

/** No parts and no notice for a word with an `@` that is not a file and does not look like a path. */
async function fileParts(
  path: string,
  { folder, notice }: MessageSources,
): Promise<readonly UserPart[]> {
  const absolute = resolve(folder, path);
  const linkTarget = isBelow(folder, absolute) ? await leadsOutOf(folder, absolute) : undefined;
  const read = await readTextFile(absolute, { maxBytes: MAX_FILE_BYTES });
  if (linkTarget !== undefined) {
    if (!read.ok && read.error.kind === 'missing') return [];
    notice({
      level: 'warning',
      text: `${path} is a link that leads out of this folder and was not put into the message`,
      fix: `name where it leads, if you mean that: @"${linkTarget}"`,
    });
    return [];
  }
  if (read.ok) return [{ kind: 'attachment', label: path, text: read.value }];
  if (read.error.kind === 'too-large') {
    notice({
      level: 'warning',
      text: `${path} is larger than ${MAX_FILE_BYTES / 1024} KB and was not put into the message`,
      fix: 'name the part that matters, and the model will read it',
    });
  } else if (read.error.kind === 'not-text') {
    return pictureParts(path, { folder, notice });
  } else if (read.error.kind === 'folder') {
    notice({
      level: 'info',
      text: `${path} is a folder, and only its name is in the message`,
      fix: 'name a file in it, or have the model look there',
    });
  } else if (LOOKS_LIKE_PATH.test(path)) {
    notice({
      level: 'info',
      text: `there is no file ${path}, so it is only a word in the message`,
    });
  }
  return [];
}

/** Compares the path as written: the user may name a file outside the folder on purpose. */
function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`);
}

const LOOKS_LIKE_PATH = /[/\\.]/;

async function pictureParts(
  path: string,
  { folder, notice }: Pick<MessageSources, 'folder' | 'notice'>,
): Promise<readonly UserPart[]> {
  const picture = await readPicture(resolve(folder, path));
  if (picture.ok) return [{ kind: 'image', ...picture.value }];
  const why =
    picture.error.kind === 'too-large' ? 'too large a picture' : 'neither text nor a picture';
  notice({ level: 'warning', text: `${path} is ${why} and was not put into the message` });
  return [];
}

type Path = Extract<Mention, { readonly kind: 'path' }>;
type Resource = Extract<Mention, { readonly kind: 'resource' }>;

function isPath(mention: Mention): mention is Path {
  return mention.kind === 'path';
}

function isResource(mention: Mention): mention is Resource {
  return mention.kind === 'resource';
}

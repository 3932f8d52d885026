// The user's own values that a server receives although a foreign file decides the destination: the user names them on the
// command line, or is asked about each.

import { type AdmittedServer, giveCommand, type HandedItem } from '@plugboard/host/configuration';
import type { Context } from '../context.ts';
import { giveQuestion, destinationText } from '../print/handover-words.ts';
import { visible } from '../print/visible.ts';
import { UsageError } from '../usage-error.ts';
import { askAboutText, isYes } from './ask-about-text.ts';

type Server = Pick<AdmittedServer, 'name' | 'handover'>;

/** The fields with these names. Throws for an unknown name. */
export function namedFields(
  { name, handover }: Server,
  give: readonly string[],
): readonly string[] {
  const items = handover?.items ?? [];
  return give.map((wanted) => {
    const item = items.find((each) => hasName(each, wanted));
    if (item !== undefined) return item.field;
    const known = items.map((each) => each.name).join(', ');
    throw new UsageError(
      `nothing of yours that "${name}" would get is called "${wanted}"`,
      known === ''
        ? `it needs nothing given: plugboard trust ${name}`
        : `name one of these: ${known}`,
    );
  });
}

function hasName({ path, field, name }: HandedItem, wanted: string): boolean {
  if (wanted === field || wanted === name) return true;
  return path[0] === 'headers' && wanted.toLowerCase() === name.toLowerCase();
}

/** Asks about each item. `undefined` if the user stops. */
export async function askForFields(
  { terminal }: Context,
  { name, handover }: Server,
): Promise<readonly string[] | undefined> {
  if (handover === undefined) return [];
  const given: string[] = [];
  for (const item of handover.items) {
    const where = destinationText(item, handover.subject.launch);
    const answer = await askAboutText(terminal, where, giveQuestion(name, item));
    if (answer === undefined) return undefined;
    if (isYes(answer)) given.push(item.field);
  }
  return given;
}

/** The fields that the server does not get. */
export function withheldFields({ handover }: Server, given: readonly string[]): readonly string[] {
  return (handover?.items ?? []).flatMap(({ field }) => (given.includes(field) ? [] : [field]));
}

/** Names the fields that the server does not get, and the command that gives them. */
export function withheldNote({ name, handover }: Server, given: readonly string[]): string {
  const withheld = (handover?.items ?? []).filter(({ field }) => !given.includes(field));
  if (withheld.length === 0) return '';
  const names = withheld.map((item) => visible(item.name)).join(', ');
  const command = visible(giveCommand(name, withheld));
  return `It does not get your ${names}. If it may have that: ${command}\n`;
}

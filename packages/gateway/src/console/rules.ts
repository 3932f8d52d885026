// Routes for "Make a rule of this": previews a rule about calls of one tool with its place, and writes it into the
// settings of the user who started the gateway.

import { isObject, type Json, pointerTo } from '@plugboard/base';
import { addPermissionRule, targetFile } from '@plugboard/host/configuration';
import type { RulePreview, RuleWish } from '../console-api.ts';
import type { OwnSettings } from './own-settings.ts';
import { type ApiAnswer, type ApiRequest, DONE, refused, type Route } from './route.ts';

const EFFECTS = ['allow', 'ask', 'deny'] as const;

type RuleEdit = Parameters<typeof addPermissionRule>[0];

export function ruleRoutes(settings: OwnSettings): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/rules/preview',
      answer: (request) =>
        withRule(settings, request, ({ effect, rule, file }) => {
          const text = JSON.stringify({ permissions: { [effect]: [rule] } }, undefined, 2);
          const body: RulePreview = { file, text };
          return { kind: 'json', body };
        }),
    },
    {
      method: 'POST',
      path: '/rules',
      answer: (request) =>
        withRule(settings, request, async (edit) => {
          const written = await addPermissionRule(edit);
          if (written.ok) return DONE;
          return refused(409, `${edit.file} could not be written (${written.error.kind})`);
        }),
    },
  ];
}

async function withRule(
  { environment, read }: OwnSettings,
  { body, reader }: ApiRequest,
  use: (edit: RuleEdit) => ApiAnswer | Promise<ApiAnswer>,
): Promise<ApiAnswer> {
  if (!reader.isAdministrator) return refused(403, 'Only an administrator can make rules');
  const wish = readWish(body);
  if (wish === undefined) return refused(400, 'This is not a valid rule');
  if (read === undefined) {
    return refused(409, 'This gateway reads no files, so that a rule in one would change nothing');
  }
  if (`${wish.server}${wish.tool}`.includes('*')) {
    return refused(409, 'In a rule, the * in this name would stand for any text');
  }
  const file = await targetFile(environment, 'user');
  return use({ file, effect: wish.effect, rule: ruleOf(wish) });
}

function ruleOf({ server, tool, arguments: given }: RuleWish): RuleEdit['rule'] {
  const name = `${server}/${tool}`;
  if (given === undefined) return name;
  const conditions = Object.entries(given).map(([key, value]) => ({
    path: pointerTo(key),
    equals: value,
  }));
  return { tool: name, arguments: conditions };
}

function readWish(body: Json | undefined): RuleWish | undefined {
  if (!isObject(body)) return undefined;
  const { server, tool, arguments: given } = body;
  const effect = EFFECTS.find((each) => each === body['effect']);
  if (effect === undefined || typeof server !== 'string' || typeof tool !== 'string') {
    return undefined;
  }
  const wish = { effect, server, tool };
  return isObject(given) && Object.keys(given).length > 0 ? { ...wish, arguments: given } : wish;
}

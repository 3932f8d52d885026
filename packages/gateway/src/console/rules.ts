// "Make a rule of this": a rule about calls of one tool, shown with its place before it is written into the settings of the user who
// started the gateway.

import { isObject, type Json } from '@plugboard/base';
import { addPermissionRule, targetFile } from '@plugboard/host/configuration';
import type { RulePreview, RuleWish } from '../console-api.ts';
import type { OwnSettings } from './own-settings.ts';
import type { ApiAnswer, ApiRequest, Route } from './route.ts';

const EFFECTS = ['allow', 'ask', 'deny'] as const;

type Rule = Parameters<typeof addPermissionRule>[0]['rule'];

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
        withRule(settings, request, async (wanted) => {
          const written = await addPermissionRule(wanted);
          if (written.ok) return { kind: 'done' };
          const reason = `${wanted.file} could not be written (${written.error.kind})`;
          return { kind: 'refused', status: 409, reason };
        }),
    },
  ];
}

type Wanted = Parameters<typeof addPermissionRule>[0];

async function withRule(
  { environment, read }: OwnSettings,
  { body, reader }: ApiRequest,
  use: (wanted: Wanted) => ApiAnswer | Promise<ApiAnswer>,
): Promise<ApiAnswer> {
  if (!reader.isAdministrator) {
    return { kind: 'refused', status: 403, reason: 'Only an administrator can make rules' };
  }
  const wish = readWish(body);
  if (wish === undefined)
    return { kind: 'refused', status: 400, reason: 'This is not a valid rule' };
  if (read === undefined) {
    const reason = 'This gateway reads no files, so that a rule in one would change nothing';
    return { kind: 'refused', status: 409, reason };
  }
  if (`${wish.server}${wish.tool}`.includes('*')) {
    const reason = 'In a rule, the * in this name would stand for any text';
    return { kind: 'refused', status: 409, reason };
  }
  const file = await targetFile(environment, 'user');
  return use({ file, effect: wish.effect, rule: ruleOf(wish) });
}

function ruleOf({ server, tool, arguments: given }: RuleWish): Rule {
  const name = `${server}/${tool}`;
  if (given === undefined) return name;
  const conditions = Object.entries(given).map(([key, value]) => ({
    path: `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
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

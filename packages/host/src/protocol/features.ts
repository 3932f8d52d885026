// The features of a server, according to the capabilities that it declared.

import { isObject } from '@plugboard/base';
import type { Features } from './neutral/primitives.ts';
import { announcedLists } from './server-news.ts';
import type { SessionClient } from './session-client.ts';

const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

export function featuresOf(client: SessionClient): Features {
  const { resources, prompts, completions, extensions } = client.getServerCapabilities() ?? {};
  return {
    resources: resources !== undefined,
    subscriptions: resources?.subscribe === true,
    prompts: prompts !== undefined,
    completions: completions !== undefined,
    skills: isObject(extensions) && isObject(extensions[SKILLS_EXTENSION]),
    announces: new Set(announcedLists(client)),
  };
}

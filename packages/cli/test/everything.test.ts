// Every resource, template and prompt of the reference server works through the command.

import { everything, startEverythingHttp, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, type Sandbox, sandbox } from './sandbox.ts';

interface Listed {
  readonly resources: readonly { readonly uri: string }[];
  readonly templates: readonly { readonly uriTemplate: string }[];
  readonly prompts: readonly { readonly prompt: string }[];
}

/** What the reference server wants to be given. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  'simple-prompt': [],
  'args-prompt': ['city=Paris', 'state=Texas'],
  'completable-prompt': ['department=Engineering', 'name=Alice'],
  'resource-prompt': ['resourceType=Text', 'resourceId=1'],
};

async function documentFrom(box: Sandbox, args: readonly string[]): Promise<Listed> {
  return documentOf(await box.run([...args, '--json'])) as Listed;
}

describe.each(['stdio', 'http'] as const)('server-everything over %s', (transport) => {
  verifies('CLI-02', 'CAT-06');

  it('has each resource read, each template filled in and each prompt got', async ({ expect }) => {
    await using peer = transport === 'http' ? await startEverythingHttp() : undefined;
    const entry = peer === undefined ? everything() : { type: 'http', url: peer.url };
    await using box = await sandbox({ every: entry });
    const { resources, templates } = await documentFrom(box, ['resources']);
    const { prompts } = await documentFrom(box, ['prompts']);
    const commands = [
      ...resources.map(({ uri }) => ['read', uri]),
      ...templates.map(({ uriTemplate }) => ['read', uriTemplate, 'resourceId=1']),
      ...prompts.map(({ prompt }) => ['prompt', prompt, ...(ARGUMENTS[prompt] ?? ['unknown=1'])]),
      ['complete', 'completable-prompt', 'department'],
      ['complete', 'completable-prompt', 'name', '--with', 'department=Engineering'],
      ['complete', 'resource-prompt', 'resourceType'],
      ...templates.map(({ uriTemplate }) => ['complete', uriTemplate, 'resourceId', '7']),
    ];
    expect([resources.length, templates.length, prompts.length]).toEqual([7, 2, 4]);
    for (const command of commands) {
      const { code, stdout, stderr } = await box.run(command);
      expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' });
      expect(stdout.trim()).not.toBe('');
    }
  }, 120_000);
});

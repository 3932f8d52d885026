// Every tool, resource, template and prompt of the reference server works through the command.

import { everything, isLong, startEverythingHttp, verifies } from '@plugboard/testkit';
import { describe, it } from 'vitest';
import { documentOf, type Sandbox, sandbox } from './sandbox.ts';

interface ListedItems {
  readonly tools: readonly { readonly tool: string }[];
  readonly resources: readonly { readonly uri: string }[];
  readonly templates: readonly { readonly uriTemplate: string }[];
  readonly prompts: readonly { readonly prompt: string }[];
}

/** The arguments of prompts and templates of the reference server. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  'simple-prompt': [],
  'args-prompt': ['city=Paris', 'state=Texas'],
  'completable-prompt': ['department=Engineering', 'name=Alice'],
  'resource-prompt': ['resourceType=Text', 'resourceId=1'],
};

/** The arguments of its tools. A tool that is missing here is new. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  echo: ['message=hi'],
  'get-annotated-message': ['messageType=success', 'includeImage:=true'],
  'get-env': [],
  'get-resource-links': ['count:=3'],
  'get-resource-reference': ['resourceType=Blob', 'resourceId:=2'],
  'get-roots-list': [],
  'get-structured-content': ['location=Chicago'],
  'get-sum': ['a:=2', 'b:=3'],
  'get-tiny-image': [],
  'gzip-file-as-resource': ['name=a.gz', 'data=data:text/plain,hello', 'outputType=resource'],
  'simulate-research-query': ['topic=plugs', 'ambiguous:=true'],
  'toggle-simulated-logging': [],
  'toggle-subscriber-updates': [],
  'trigger-elicitation-request': [],
  'trigger-long-running-operation': ['duration:=1', 'steps:=2'],
  'trigger-url-elicitation': ['url=https://example.com/visit'],
};
/** Tools that ask a person. */
const ASKING = new Set([
  'simulate-research-query',
  'trigger-elicitation-request',
  'trigger-url-elicitation',
]);

async function documentFrom(box: Sandbox, args: readonly string[]): Promise<ListedItems> {
  return documentOf(await box.run([...args, '--json'])) as ListedItems;
}

/** All of them over HTTP, with one process of the server; over stdio, which starts one each, every fourth in a short run. */
function isTried(transport: 'stdio' | 'http'): (_: unknown, index: number) => boolean {
  return (_, index) => transport === 'http' || isLong || index % 4 === 0;
}

describe.each(['stdio', 'http'] as const)('server-everything over %s', (transport) => {
  verifies('CLI-02', 'CAT-06', 'CAL-06');

  it('answers a call of each tool', async ({ expect }) => {
    await using peer = transport === 'http' ? await startEverythingHttp() : undefined;
    const entry = peer === undefined ? everything() : { type: 'http', url: peer.url };
    await using box = await sandbox({ every: entry });
    const { tools } = await documentFrom(box, ['tools']);
    const { 'get-roots-list': _, ...others } = CALLS;
    // A remote server of a project does not get the roots, and lists no tool for them.
    const calls = peer === undefined ? CALLS : others;
    expect(tools.map(({ tool }) => tool).toSorted()).toEqual(Object.keys(calls).toSorted());
    for (const [tool, given] of Object.entries(calls).filter(isTried(transport))) {
      const { code, stdout, stderr } = await box.run(['call', 'every', tool, ...given]);
      expect({ tool, code }).toEqual({ tool, code: 0 });
      expect(stdout.trim()).not.toBe('');
      expect(stderr.startsWith('note: declined')).toBe(ASKING.has(tool));
    }
  });

  it('returns each resource, each filled template and each prompt', async ({ expect }) => {
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
    for (const command of commands.filter(isTried(transport))) {
      const { code, stdout, stderr } = await box.run(command);
      expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' });
      expect(stdout.trim()).not.toBe('');
    }
  });
});

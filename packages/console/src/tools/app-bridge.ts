// The host side of an MCP App: the official bridge, over messages to the frame. Calls of the app are handled like every call of
// the console, with rules and approvals. Loaded with the first app.

import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';
import type { CallToolResult, ReadResourceResult } from '@modelcontextprotocol/client';
import type { JsonObject } from '@plugboard/base';
import type { RunOutcome, RunRequest } from '@plugboard/gateway/console-api';
import { config } from 'zod';
import { post, reasonOf } from '../feed/request.ts';

// The content security policy forbids `eval`, so zod must not try to use it.
config({ jitless: true });

export interface OpenedApp {
  readonly frame: HTMLIFrameElement;
  /** The address of the empty frame. */
  readonly url: string;
  readonly server: string;
  readonly html: string;
  readonly arguments: JsonObject;
  readonly result: JsonObject;
  readonly theme: 'light' | 'dark';
  readonly onHeight: (pixels: number) => void;
  /** The app requests to open a page, which only the user can do. */
  readonly onLink: (url: string) => void;
}

const MOST_PIXELS = 4000;

export async function openApp(app: OpenedApp): Promise<() => void> {
  const { frame, server, html } = app;
  const target = frame.contentWindow;
  if (target === null) return () => {};
  const bridge = new AppBridge(
    null,
    { name: 'plugboard-console', version: '1' },
    { openLinks: {}, serverTools: {}, serverResources: {} },
    { hostContext: { theme: app.theme, displayMode: 'inline' } },
  );
  bridge.onsandboxready = () => void bridge.sendSandboxResourceReady({ html });
  bridge.oninitialized = () => {
    void bridge.sendToolInput({ arguments: app.arguments });
    void bridge.sendToolResult(app.result as unknown as CallToolResult);
  };
  bridge.onsizechange = ({ height }) => {
    if (height !== undefined) app.onHeight(Math.min(MOST_PIXELS, Math.max(0, height)));
  };
  bridge.onopenlink = ({ url }) => {
    app.onLink(url);
    return Promise.resolve({});
  };
  bridge.oncalltool = async ({ name, arguments: given = {} }) =>
    (await run({
      kind: 'tool',
      server,
      tool: name,
      arguments: given as JsonObject,
    })) as unknown as CallToolResult;
  bridge.onreadresource = async ({ uri }) =>
    (await run({ kind: 'resource', server, uri })) as unknown as ReadResourceResult;
  await bridge.connect(new PostMessageTransport(target, target));
  frame.src = app.url;
  return () => void bridge.close();
}

async function run(request: RunRequest): Promise<JsonObject> {
  const answer = await post<RunOutcome>('run', request);
  if (answer.kind !== 'ok') throw new Error(reasonOf(answer));
  const { result, problem } = answer.value;
  if (result === undefined) throw new Error(problem ?? 'There is no result.');
  return result;
}

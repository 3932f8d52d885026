import { describe, expect, it } from 'vitest';
import {
  callReach,
  labelsOf,
  type LabelledTool,
  type ServerNature,
} from '../../../src/policy/flow/tool-labels.ts';

const UNKNOWN: ServerNature = { stated: [], origins: [] };

function tool(name: string, more: Partial<LabelledTool> = {}): LabelledTool {
  return { server: 's', tool: name, parameters: [], annotations: {}, ...more };
}

function labels(one: LabelledTool, nature = UNKNOWN): readonly string[] {
  return [...labelsOf(one, nature).labels].toSorted();
}

describe('the labels of a tool on an unknown server', () => {
  it.each([
    ['list_issues', ['foreign', 'private']],
    ['getPullRequest', ['foreign', 'private']],
    ['github_search_code', ['foreign', 'private']],
    ['create_issue', ['out']],
    ['slack_post_message', ['out']],
    ['sendMail', ['out']],
    ['search_and_replace', ['foreign', 'out', 'private']],
    ['frobnicate', ['foreign', 'out', 'private']],
  ])('follow from the name %s', (name, expected) => {
    expect(labels(tool(name))).toEqual(expected);
  });

  it('mark a tool that takes an address as sending out, whatever its name', () => {
    expect(labels(tool('get_page', { parameters: ['url'] }))).toEqual([
      'foreign',
      'out',
      'private',
    ]);
    expect(labels(tool('get_reminder', { parameters: ['to'] }))).toContain('out');
  });

  it('are never fewer because the server claims that the tool only reads', () => {
    const claims = { readOnlyHint: true, destructiveHint: false };
    for (const name of ['create_issue', 'frobnicate', 'list_issues']) {
      expect(labels(tool(name, { annotations: claims }))).toEqual(labels(tool(name)));
    }
  });

  it('are more if the server declares that the tool changes something', () => {
    expect(labels(tool('get_it', { annotations: { destructiveHint: true } }))).toContain('out');
    expect(labels(tool('get_it', { annotations: { readOnlyHint: false } }))).toContain('out');
  });
});

describe('the labels of a tool on a well-known server', () => {
  it.each([
    ['@modelcontextprotocol/server-filesystem', 'write_file', []],
    ['@modelcontextprotocol/server-filesystem', 'read_text_file', ['foreign', 'private']],
    ['mcp-server-fetch', 'fetch', ['foreign', 'out']],
    ['@playwright/mcp', 'browser_click', ['foreign', 'out', 'private']],
    ['@playwright/mcp', 'browser_snapshot', ['foreign', 'private']],
    ['mcp-server-git', 'git_push', ['out']],
    ['codebase', 'read_file', ['foreign', 'private']],
  ])('of %s: %s', (origin, name, expected) => {
    expect(labels(tool(name), { stated: [], origins: [origin] })).toEqual(expected);
  });

  it('are not found under a name that objects inherit', () => {
    expect(labels(tool('get_it'), { stated: [], origins: ['constructor'] })).toEqual([
      'foreign',
      'private',
    ]);
  });
});

describe('labels in an entry', () => {
  it('replace all others, the most specific pattern first', () => {
    const nature: ServerNature = {
      origins: [],
      stated: [
        { pattern: '*', labels: ['private'], isOwn: true },
        { pattern: 'send_*', labels: ['out'], isOwn: true },
      ],
    };
    expect(labels(tool('send_mail'), nature)).toEqual(['out']);
    expect(labels(tool('get_mail'), nature)).toEqual(['private']);
  });

  it('only add labels if the entry may have come with a project', () => {
    const nature: ServerNature = {
      origins: [],
      stated: [{ pattern: '*', labels: ['private'], isOwn: false }],
    };
    expect(labels(tool('send_mail'), nature)).toEqual(['out', 'private']);
  });
});

describe('the arguments of a call', () => {
  const reachOf = (name: string, ...origins: readonly string[]): string => {
    const nature: ServerNature = { stated: [], origins };
    return callReach(labelsOf(tool(name), nature), nature, { tool: name, arguments: {} });
  };

  it('stay on this machine for edits in the folder and for known local servers', () => {
    expect(reachOf('edit_file', 'workspace')).toBe('here');
    expect(reachOf('search_code', 'codebase')).toBe('here');
    expect(reachOf('write_file', '@modelcontextprotocol/server-filesystem')).toBe('here');
  });

  it('reach the server if it is unknown, or known not to be local', () => {
    expect(reachOf('get_weather')).toBe('server');
    expect(reachOf('web_search', 'exa-mcp-server')).toBe('server');
  });

  it('are sent out if the tool sends data out', () => {
    expect(reachOf('edit_file')).toBe('out');
    expect(reachOf('send_mail')).toBe('out');
  });
});

describe('a call of run_command', () => {
  const nature: ServerNature = { stated: [], origins: ['workspace'] };
  const run = labelsOf(tool('run_command'), nature);
  const call = (command: string) => ({ tool: 'run_command', arguments: { command } });

  it('sends out if its command does', () => {
    expect(callReach(run, nature, call('npm test'))).toBe('here');
    expect(callReach(run, nature, call('curl evil.example'))).toBe('out');
  });

  it('sends out on a server of another origin, whatever its command is', () => {
    const other = labelsOf(tool('run_command'), UNKNOWN);
    expect(callReach(other, UNKNOWN, call('npm test'))).toBe('out');
  });
});

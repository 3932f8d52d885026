import type { ChosenModel, ModelChoice } from '@plugboard/agent';
import { verifies } from '@plugboard/testkit';
import { describe, expect, it } from 'vitest';
import { agentFile, type ModelsForAgents } from '../../src/commands/agent-files.ts';
import { markdownParts } from '../../src/commands/markdown-fields.ts';

const chosen = (name: string): ModelChoice => ({
  kind: 'chosen',
  model: { name, provider: name.split('/')[0] } as ChosenModel,
});

const MODELS: ModelsForAgents = { current: 'anthropic/claude-sonnet-5-5', choose: chosen };

function agentOf(fields: string, models = MODELS): ReturnType<typeof agentFile> {
  const text = `---\ndescription: Does it\n${fields}\n---\nWork.\n`;
  return agentFile({ name: 'worker', path: '/agents/worker.md', text }, models);
}

describe('the fields at the top of a Markdown file', () => {
  it('may be values, lists in two forms, and texts over several lines', () => {
    verifies('AGT-21');
    const whole = [
      '---',
      'name: "a: b"',
      'flow: [Read, "Grep"]',
      'list:',
      '  - Read',
      "  - 'Write'",
      'long: >-',
      '  one',
      '  two',
      'empty:',
      '---',
      'Text.',
    ].join('\r\n');
    const { fields, text } = markdownParts(whole);
    expect([Object.fromEntries(fields), text]).toEqual([
      { name: 'a: b', flow: 'Read, Grep', list: 'Read, Write', long: 'one two', empty: '' },
      'Text.',
    ]);
  });
});

describe('the tools of an agent file', () => {
  it('are all tools if the file names none, but not if it names only unknown ones', () => {
    verifies('AGT-21');
    expect(agentOf('').tools).toBeUndefined();
    expect(agentOf('tools: "*"').tools).toBeUndefined();
    const unknown = agentOf('tools:\n  - Fly\n  - Bash(git:*)');
    expect(unknown.tools).toEqual([]);
    expect(unknown.unknownTools).toEqual(['Fly', 'Bash(git:*)']);
    expect(unknown.mistakes).toEqual([
      '"tools" names no tool that there is here: leave it out for all tools',
    ]);
    expect(agentOf('tools:').mistakes).toHaveLength(1);
  });

  it('may have the names of other hosts, and can be excluded', () => {
    verifies('AGT-21');
    const { tools, withoutTools } = agentOf(
      'tools: Read, Bash, mcp__github__*\ndisallowedTools: Write',
    );
    expect([tools, withoutTools]).toEqual([
      ['mcp__codebase__read_file', 'mcp__workspace__run_command', 'mcp__github__*'],
      ['mcp__workspace__write_file'],
    ]);
  });
});

describe('the model of an agent file', () => {
  it('is of the provider of the conversation if the file names only a size', () => {
    verifies('AGT-21');
    expect(agentOf('model: opus').model?.name).toMatch(/^anthropic\/claude-opus-/u);
    const local = { ...MODELS, current: 'ollama/qwen3' };
    expect(agentOf('model: opus', local)).toMatchObject({ mistakes: [] });
    expect(agentOf('model: opus', local).model).toBeUndefined();
    expect(agentOf('model: inherit').model).toBeUndefined();
    expect(agentOf('model: openai/gpt-6.1-sol').model?.name).toBe('openai/gpt-6.1-sol');
  });
});

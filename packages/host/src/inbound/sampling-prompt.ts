// Examines a server's prompt before the user is asked about it: an upper bound of its tokens, and content that
// a user would not see or a model would obey. Pure.

import { type ScanFinding, scanDefinition, scanText } from '../policy/index.ts';
import type { SamplingContent, SamplingRequest } from '../protocol/index.ts';

/** Most texts have more characters per token; an overestimate is safe. */
const CHARACTERS_PER_TOKEN = 3;
/** What providers count for a large picture. */
const IMAGE_TOKENS = 1600;
const AUDIO_CHARACTERS_PER_TOKEN = 100;

export function promptTokens(request: SamplingRequest): number {
  const { systemPrompt = '', messages, tools = [] } = request;
  const contents = messages.flatMap(({ content }) => content);
  return (
    textTokens(systemPrompt.length) +
    contents.reduce((sum, content) => sum + tokensOf(content), 0) +
    (tools.length === 0 ? 0 : textTokens(JSON.stringify(tools).length))
  );
}

function tokensOf(content: SamplingContent): number {
  switch (content.kind) {
    case 'text':
      return textTokens(content.text.length);
    case 'image':
      return IMAGE_TOKENS;
    case 'audio':
      return Math.ceil(content.data.length / AUDIO_CHARACTERS_PER_TOKEN);
    case 'tool-use':
    case 'tool-result':
      return textTokens(JSON.stringify(content).length);
    default:
      return content satisfies never;
  }
}

function textTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** `path` begins with `systemPrompt`, `messages` or `tools`. */
export function scanPrompt(request: SamplingRequest): readonly ScanFinding[] {
  const { systemPrompt, messages, tools = [] } = request;
  const at =
    (...path: readonly (string | number)[]) =>
    (finding: ScanFinding): ScanFinding => ({ ...finding, path: [...path, ...finding.path] });
  return [
    ...(systemPrompt === undefined ? [] : scanText(systemPrompt).map(at('systemPrompt'))),
    ...messages.flatMap(({ content }, index) =>
      content.flatMap((block, part) =>
        scanContent(block).map(at('messages', index, 'content', part)),
      ),
    ),
    ...tools.flatMap((tool, index) => scanDefinition(tool).map(at('tools', index))),
  ];
}

function scanContent(content: SamplingContent): readonly ScanFinding[] {
  if (content.kind === 'text') return scanText(content.text);
  if (content.kind === 'tool-use') return scanText(JSON.stringify(content.input));
  if (content.kind !== 'tool-result') return [];
  const texts = content.content.flatMap((block) => (block.type === 'text' ? block.text : []));
  return texts.flatMap((text) => scanText(text));
}

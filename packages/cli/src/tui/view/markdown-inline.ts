// The inline elements of Markdown as spans: emphasis, code, links. A link shows its target if its text does not, since a model
// may have been instructed to deceive.

import { isUrl } from '@plugboard/base';
import type { Token, Tokens } from 'marked';
import { type Line, span, type Span } from './spans.ts';
import type { Style } from './theme.ts';

export function inlineSpans(tokens: readonly Token[] | undefined, style: Style = {}): Line {
  return (tokens ?? []).flatMap((token) => spansOf(token as Tokens.Generic, style));
}

function spansOf(token: Tokens.Generic, style: Style): Line {
  switch (token.type) {
    case 'strong':
      return inlineSpans(token.tokens, { ...style, isBold: true });
    case 'em':
      return inlineSpans(token.tokens, { ...style, isItalic: true });
    case 'del':
      return inlineSpans(token.tokens, { ...style, isStruck: true });
    case 'codespan':
      return [span(tokenText(token).replaceAll('\n', ' '), { ...style, role: 'code' })];
    case 'br':
      return [span('\n')];
    case 'link':
      return linkSpans(token as Tokens.Link, style);
    case 'image':
      return imageSpans(token as Tokens.Image, style);
    case 'checkbox':
      return [];
    default:
      return token.tokens === undefined
        ? [span(decoded(tokenText(token)), style)]
        : inlineSpans(token.tokens, style);
  }
}

/** Keeps line breaks, which models use deliberately. */
function tokenText(token: Tokens.Generic): string {
  const text: unknown = token['text'];
  return (typeof text === 'string' ? text : token.raw).replaceAll(/ *\n */g, '\n');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
};

function decoded(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity);
}

function linkSpans({ href, tokens }: Tokens.Link, style: Style): Line {
  const inside = inlineSpans(tokens, { ...style, role: 'accent', isUnderlined: true });
  const shown = inside.map(({ text }) => text).join('');
  const link = linkTarget(href);
  const leading: Line = link === undefined ? inside : inside.map((one): Span => ({ ...one, link }));
  return showsTarget(shown, href)
    ? leading
    : [...leading, span(` (${oneWord(href)})`, { role: 'dim' })];
}

function imageSpans({ href, text }: Tokens.Image, style: Style): Line {
  const label = text.trim() === '' ? 'image' : `image: ${text.replaceAll('\n', ' ')}`;
  return [span(`[${label}]`, style), span(` (${oneWord(href)})`, { role: 'dim' })];
}

function showsTarget(shown: string, href: string): boolean {
  const bare = (text: string): string =>
    text
      .trim()
      .replace(/^(?:https?:\/\/|mailto:)/, '')
      .replace(/\/$/, '');
  return bare(shown) === bare(href);
}

function oneWord(href: string): string {
  return href.replaceAll(/\s+/g, '%20');
}

/** Only web pages, normalised: the escape sequence around the target ends at the first control character. */
function linkTarget(href: string): string | undefined {
  if (!/^https?:\/\//i.test(href) || !isUrl(href)) return undefined;
  const { href: written } = new URL(href);
  return written.length <= 2000 && /^[!-~]+$/.test(written) ? written : undefined;
}

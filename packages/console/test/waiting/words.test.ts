// The announcements about approvals and questions for screen readers.

import type { WaitingView } from '@plugboard/gateway/console-api';
import { describe, expect, it } from 'vitest';
import { announcementOf, timeLeft, warningOf } from '../../src/waiting/words.ts';

const COMMON = { at: 0, until: 300_000, server: 'one', client: 'a client', call: undefined };

function call(tool: string): WaitingView {
  const rest = { arguments: {}, script: undefined, offers: ['once'], reason: '' } as const;
  return { ...COMMON, ...rest, kind: 'approval', id: tool, tool };
}

function question(kind: 'form' | 'page'): WaitingView {
  const rest = { message: '', schema: undefined, url: undefined, warnings: [] };
  return { ...COMMON, ...rest, kind, id: kind };
}

describe('the announcement of approvals and questions', () => {
  it('names all new ones in one sentence, and says if others waited before', () => {
    expect(announcementOf({ answered: [], fresh: [call('read')], waiting: 1 })).toBe(
      '1 waiting for your answer: read of one.',
    );
    expect(announcementOf({ answered: [], fresh: [call('read'), call('write')], waiting: 3 })).toBe(
      '3 waiting for your answer, 2 of them new: read of one, write of one.',
    );
  });

  it('names only a few and counts the rest', () => {
    const fresh = ['a', 'b', 'c', 'd', 'e'].map(call);
    expect(announcementOf({ answered: [], fresh, waiting: 5 })).toBe(
      '5 waiting for your answer: a of one, b of one, c of one, 2 more.',
    );
  });

  it('distinguishes a question of a server from a call', () => {
    const fresh = [question('form'), question('page')];
    expect(announcementOf({ answered: [], fresh, waiting: 2 })).toBe(
      '2 waiting for your answer: one asks something, one wants you to visit a page.',
    );
  });

  it('says which call was answered, and which one can no longer be answered', () => {
    const answered = [{ waiting: call('read'), answer: 'allow' } as const];
    const gone = [{ waiting: call('write'), answer: 'gone' } as const];
    expect(announcementOf({ answered, fresh: [question('form')], waiting: 1 })).toBe(
      'Allowed: read of one. 1 waiting for your answer: one asks something.',
    );
    expect(announcementOf({ answered: gone, fresh: [], waiting: 2 })).toBe(
      'Not answered: write of one.',
    );
  });

  it('is empty if nothing has happened', () => {
    expect(announcementOf({ answered: [], fresh: [], waiting: 2 })).toBe('');
  });

  it('spells out invisible characters in a name', () => {
    expect(announcementOf({ answered: [], fresh: [call('\u202Eevil')], waiting: 1 })).toContain(
      'U+202E',
    );
  });
});

describe('the time left to answer', () => {
  it('is given in minutes, rounded down', () => {
    expect([300_000, 299_999, 120_000, 119_999, 60_000, 59_999, 0, -1].map(timeLeft)).toEqual([
      '5 minutes left',
      '4 minutes left',
      '2 minutes left',
      '1 minute left',
      '1 minute left',
      'less than a minute left',
      'less than a minute left',
      'less than a minute left',
    ]);
  });

  it('is announced in one sentence for all that end together', () => {
    expect(warningOf(['a', 'b', 'c', 'd'].map(call))).toBe(
      'One minute left to answer: a of one, b of one, c of one, 1 more.',
    );
  });
});

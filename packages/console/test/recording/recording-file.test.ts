import { verifies } from '@plugboard/testkit';
import type { CallDetail } from '@plugboard/gateway/console-api';
import { describe, expect, it } from 'vitest';
import { recordingOf, searchRecording } from '../../src/recording/recording.ts';
import {
  readRecording,
  recordingHead,
  recordingLines,
} from '../../src/recording/recording-file.ts';
import { logged } from '../traffic/logged-call.ts';

function detail(id: string, body = '{}'): CallDetail {
  return {
    ...logged({ id, at: Number(id) }).call,
    decision: {
      kind: 'ask',
      rule: undefined,
      source: undefined,
      reason: 'no rule',
      answer: 'allowed',
    },
    hooks: [{ name: 'a', event: 'beforeCall', ms: 1, outcome: 'ok' }],
    attempts: 1,
    trace: [
      {
        at: 1,
        hop: 'client',
        direction: 'to-server',
        server: undefined,
        era: 'modern',
        kind: 'request',
        method: 'tools/call',
        bytes: 2,
        headers: { accept: 'x' },
        body,
        isCut: false,
      },
    ],
  };
}

describe('the file of a recording', () => {
  verifies('CON-UI');

  it('is read back as it was written', () => {
    const calls = [detail('1'), detail('2')];
    const read = readRecording(`${recordingHead(5)}${recordingLines(calls)}`);
    // JSON has no undefined values.
    expect(read).toEqual({ kind: 'read', calls: JSON.parse(JSON.stringify(calls)), skipped: 0 });
  });

  it.each([
    ['{}', 'is not a recording'],
    ['not JSON', 'is not a recording'],
    ['{"format":"plugboard-recording","version":2}', 'by a newer version'],
  ])('is refused where it begins with %s', (head, reason) => {
    const read = readRecording(`${head}\n`);
    expect(read.kind === 'refused' && read.reason).toContain(reason);
  });

  it.each([
    { state: 'fine' },
    { at: 'now' },
    { clientName: { toString: 1 } },
    { hooks: [{ name: 'a' }] },
    { trace: [{ ...detail('1').trace[0], body: 5 }] },
    { trace: [{ ...detail('1').trace[0], headers: { a: {} } }] },
    { decision: { kind: 'allow', reason: 'x', answer: 'perhaps' } },
  ])('leaves out a call with %j', (change) => {
    const line = JSON.stringify({ ...detail('1'), ...change });
    const read = readRecording(`${recordingHead(5)}${line}\n${recordingLines([detail('2')])}`);
    expect(read).toMatchObject({ kind: 'read', calls: [{ id: '2' }], skipped: 1 });
  });

  it('gets its own call ids when it is opened, and its messages can be searched', () => {
    const opened = recordingOf('x.jsonl', [detail('2', '{"a":"Needle"}'), detail('1')]);
    expect(opened.log.calls.map(({ call }) => call.id)).toEqual(['file-1', 'file-2']);
    expect([...searchRecording(opened, 'needle')]).toEqual(['file-2']);
    expect(opened.until).toBe(3);
  });
});

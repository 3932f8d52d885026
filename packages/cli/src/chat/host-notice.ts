// The notice for an event of the host, in one line; most events have none.

import type { HostEvent } from '@plugboard/host';
import { shortageOf } from '@plugboard/host/relay';
import type { HostEnvironment } from '@plugboard/host/configuration';
import { pinsNotKept } from '../print/pins-not-kept.ts';
import { place, shortPath } from '../print/place.ts';
import { unavailableError } from '../print/unavailable.ts';
import type { Notice } from './chat.ts';

export function hostNotice(event: HostEvent, from: HostEnvironment): Notice | undefined {
  switch (event.kind) {
    case 'state': {
      const { name, origin, state } = event.server;
      if (state.kind === 'needs-auth') {
        return { level: 'warning', text: `${name} wants you to sign in`, fix: '/mcp, then l' };
      }
      if (state.kind !== 'failed') return undefined;
      const subject = { server: name, where: place(origin, from), from };
      const { message } = unavailableError(subject, state.failure);
      const fix = shortageOf(state.failure) ?? `plugboard doctor ${name}`;
      return { level: 'warning', text: message, fix };
    }
    case 'quarantine': {
      const count = event.quarantined.length;
      if (count === 0) return undefined;
      return {
        level: 'warning',
        text: `${event.server} is not what you accepted: ${count} of its tools are kept back`,
        fix: `plugboard pins diff ${event.server}`,
      };
    }
    case 'pins-not-kept':
      return { level: 'warning', ...pinsNotKept(event, from) };
    case 'approval-kept':
      return {
        level: 'info',
        text: `the rule ${event.rule} is now in ${shortPath(event.file, from)}; take it back: plugboard permissions ${event.server}/${event.tool} --remove`,
      };
    case 'approval-not-kept':
      return {
        level: 'warning',
        text: `the rule ${event.rule} could not be written to ${event.file}; it counts until you leave`,
      };
    case 'question-declined':
      return {
        level: 'info',
        text: `a question of ${event.server} was declined: ${event.message}`,
      };
    case 'configuration-kept':
      return {
        level: 'warning',
        text: 'a file was edited and cannot be read as it is now; what counted before still does',
        fix: 'plugboard list',
      };
    case 'tools':
    case 'stale-tools':
    case 'list-changed':
    case 'sampling':
    case 'log':
    case 'line':
    case 'notification':
    case 'configuration':
    case 'profiles':
      return undefined;
    default:
      return event satisfies never;
  }
}

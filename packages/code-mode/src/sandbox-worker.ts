// The program of the script's thread. It runs one script; the host then ends the thread.

import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '@plugboard/base';
import { Guest } from './guest.ts';
import { stripTypes, TYPES_TO_WARM_UP } from './strip-types.ts';
import type { FromThread, ThreadData, ToThread } from './thread-messages.ts';

const WARM_UP_CALLS = 300;
const WARM_UP = `for (let at = 0; at < ${WARM_UP_CALLS}; at += 1) await tools.a.tool({ at });`;

if (parentPort === null) throw new TypeError('this file is for a thread');
const port = parentPort;
// `ScriptThread` starts this file with data of this type.
const data = workerData as ThreadData;
let isTaken = false;

/** Makes V8 compile the bridge, without which the first calls would take several times as long. */
async function openWarm(): Promise<Guest> {
  const warmUp = await Guest.open({
    ...data,
    limits: { ...data.limits, calls: WARM_UP_CALLS },
    counters: new Int32Array(new SharedArrayBuffer(data.counters.byteLength)),
    clock: systemClock,
    post: (message) => {
      if (message.kind === 'call') queueMicrotask(() => warmUp.answer(message.id, true, '{}'));
    },
  });
  warmUp.run(WARM_UP, [['a', [['tool', 0]]]]);
  return Guest.open({
    ...data,
    clock: systemClock,
    post: (message: FromThread) => port.postMessage(message),
  });
}

const guest = await openWarm();
port.on('message', (message: ToThread) => {
  isTaken = true;
  if (message.kind === 'run') guest.run(message.code, message.tools);
  else guest.answer(message.id, message.ok, message.text);
});
// A script that has already arrived goes first.
systemClock.after(0, () => {
  if (!isTaken) stripTypes(TYPES_TO_WARM_UP);
});

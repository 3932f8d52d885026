// The script's thread. It serves one script and is then ended from outside.

import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '@plugboard/base';
import { Guest } from './guest.ts';
import type { FromThread, ThreadData, ToThread } from './thread-messages.ts';

if (parentPort === null) throw new TypeError('this file is for a thread');
const port = parentPort;
const opened = Guest.open({
  // Given by `ScriptThread`, the only one who starts this file.
  ...(workerData as ThreadData),
  clock: systemClock,
  post: (message: FromThread) => port.postMessage(message),
});

port.on('message', (message: ToThread) => {
  void take(message);
});

async function take(message: ToThread): Promise<void> {
  const guest = await opened;
  if (message.kind === 'run') await guest.run(message.code, message.tools);
  else await guest.answer(message.id, message.ok, message.text);
}

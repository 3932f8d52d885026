// The entry point of the program `plugboard-codebase`.

import { runCommand } from './command.ts';
import { ownProcess } from './platform/index.ts';

const own = ownProcess();
own.setExitCode(await runCommand({ name: 'plugboard-codebase', args: own.args }));

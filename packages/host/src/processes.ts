// Starting programs as the host starts its servers, as an entrance of its own: without a shell, with nothing of the
// environment but what programs need, in a group that is ended as a whole. Beside it, how files are swept.
// It loads nothing that talks to servers.

export {
  type CommandRun,
  minimalEnvironment,
  type ProcessExit,
  ProcessLedger,
  runCommand,
  type RunningProcess,
  type SpawnFailure,
  spawnProcess,
  type SpawnSpec,
  stayAlive,
  sweepToBin,
} from './platform/index.ts';

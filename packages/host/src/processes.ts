// Starting programs as the host starts its servers, as a separate entrance: without a shell, with nothing of the
// environment but what programs need, in a group that is ended as a whole. Beside it, programs of ours that go on in
// the background, and how files are swept. It loads nothing that talks to servers.

export {
  type BackgroundProcess,
  type CommandRun,
  ensureFolder,
  logSize,
  minimalEnvironment,
  noteOwnProcess,
  ownIdentity,
  ownFiles,
  processCount,
  type ProcessExit,
  ProcessLedger,
  readProcessNote,
  removeFile,
  runCommand,
  runOnTerminal,
  type RunningProcess,
  signalNoted,
  type SpawnFailure,
  spawnProcess,
  type SpawnSpec,
  startInBackground,
  sweepToBin,
  systemCode,
  type TerminalProgram,
  type TerminalRun,
  trimLog,
  withFileLock,
  writeFileAtomically,
} from './platform/index.ts';

// Errors of installing, configuring and removing plugins.

import { demandOf, shortageFix } from '@plugboard/base';
import {
  closestName,
  type ConfigureProblem,
  type InstallProblem,
  type StageProblem,
} from '@plugboard/host/configuration';
import { clause } from '../print/diagnostics.ts';
import { diagnosticPlace, type Standpoint } from '../print/place.ts';
import { ENTRY_REFUSALS } from '../print/plugins.ts';
import { didYouMean, UsageError } from '../usage-error.ts';
import { unanswered } from './plugin-answers.ts';

export interface PluginErrorContext {
  /** The plugin, or the path that was given. */
  readonly what: string;
  readonly from: Standpoint;
}

export function stageError(problem: StageProblem, { what, from }: PluginErrorContext): UsageError {
  switch (problem.kind) {
    case 'not-a-plugin':
      return new UsageError(
        `${what} is neither a folder nor a .mcpb or .dxt file`,
        'give the path of a plugin',
      );
    case 'missing':
      return new UsageError(`there is no file ${what}`, 'check the path');
    case 'unreadable':
      return new UsageError(`${what} cannot be read (${problem.code})`, 'check the path');
    case 'not-a-zip':
      return new UsageError(`${what} is not a zip that can be read`, 'get the bundle again');
    case 'too-many-entries':
      return new UsageError(
        `${what} holds more than ${problem.limit} files`,
        'check that it is the right one',
      );
    case 'too-large':
      return new UsageError(
        `${what} would unpack into more than ${Math.floor(problem.limit / 1024 / 1024)} MB`,
        'check that it is the right one',
      );
    case 'refused':
      return new UsageError(
        `${what} is refused: "${problem.entry}" ${ENTRY_REFUSALS[problem.reason]}`,
        'get another version of it, or tell its author',
      );
    case 'invalid-plugin': {
      const [first] = problem.diagnostics;
      return new UsageError(
        clause(first?.message ?? 'the plugin is broken'),
        clause(first?.suggestion ?? 'get another version of it'),
        first === undefined ? {} : { where: diagnosticPlace(first, from) },
      );
    }
    case 'exists':
    case 'unwritable':
      return unwritable(problem);
    default:
      return problem satisfies never;
  }
}

export function installError(
  problem: InstallProblem | ConfigureProblem,
  { what }: Pick<PluginErrorContext, 'what'>,
): UsageError {
  switch (problem.kind) {
    case 'exists':
      return new UsageError(`"${what}" is already installed`, 'add --force to replace it');
    case 'not-installed': {
      const nearest = closestName(what, problem.names);
      return new UsageError(
        `no plugin "${what}" is installed`,
        didYouMean(nearest, 'see the list: plugboard plugin list'),
      );
    }
    case 'missing-answers':
      return unanswered(problem.questions);
    case 'unknown-key':
      return new UsageError(
        `"${what}" does not ask for "${problem.key}"`,
        problem.keys.length === 0 ? 'leave it out' : `use one of: ${problem.keys.join(', ')}`,
      );
    case 'bad-answer':
      return new UsageError(
        `"${problem.key}" must be ${demandOf(problem.problem)}`,
        'give another value',
      );
    case 'secret-not-kept':
      return new UsageError(
        `the secret "${problem.key}" cannot be kept safely here`,
        'check that your settings can be written',
      );
    case 'unwritable':
      return unwritable(problem);
    default:
      return problem satisfies never;
  }
}

function unwritable(problem: { readonly kind: string; readonly code?: string }): UsageError {
  const reason = problem.code === undefined ? '' : ` (${problem.code})`;
  return new UsageError(
    `the folder of your plugins cannot be written${reason}`,
    shortageFix(problem.code) ?? 'check that there is room, and that it is yours',
  );
}

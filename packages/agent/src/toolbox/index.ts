export {
  HostToolbox,
  type HostToolboxOptions,
  type PlannedTools,
  type ToolHost,
} from './host-toolbox.ts';
export { samplingBy, type SamplingPeople } from './sampling-by.ts';

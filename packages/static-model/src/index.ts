export { openStaticModel, readStaticModel, type StaticModelProblem } from './open-model.ts';
export { StaticModel, type StaticModelSizes } from './static-model.ts';

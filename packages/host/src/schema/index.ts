export { type Provider, type ProviderSchema, schemaFor } from './for-provider.ts';
export { isTamePattern, MAX_MATCHED_LENGTH } from './tame-pattern.ts';
export {
  docComment,
  inPascalCase,
  propertyKey,
  stringLiteral,
  toTypeScript,
  type TypeScriptTypes,
} from './to-typescript.ts';
export { toZod, type ZodModule } from './to-zod.ts';

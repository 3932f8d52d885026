export { closestName } from './closest-name.ts';
export {
  type Diagnostic,
  type DiagnosticCode,
  fileOrigin,
  givenPosition,
  misplacedDiagnostic,
  originPosition,
  type Position,
} from './diagnostic.ts';
export {
  lastOfEach,
  MAX_DEPTH,
  nodesAt,
  type ParsedDocument,
  parseDocument,
  placesIn,
  placesOf,
  propertiesOf,
  type Property,
  propertyNamed,
  type SyntaxProblem,
  nodeValue,
} from './document.ts';
export { eachText, someText, textsIn } from './each-text.ts';
export { fieldName, type FieldPath } from './field-path.ts';
export { type EntryPlace, type Finding, locate } from './finding.ts';
export { findJsonParts, type JsonPart } from './json-parts.ts';
export { type Derivation, jsonSchemaOf, nameSchema, referenceTo } from './json-schema.ts';
export {
  type Author,
  type AuthorOf,
  authorsIn,
  comesWith,
  type ConfigFile,
  type FileFormat,
  isFromPluginOrConnector,
  isForeign,
  isForeignSource,
  type Origin,
  precedence,
  type ProjectPlace,
  type Scope,
  scopeRow,
  type StatementPlace,
} from './scope.ts';
export type { SettingsText } from './document.ts';
export {
  type AnyShape,
  anyValue,
  exactFields,
  fields,
  flag,
  flagOr,
  knownWord,
  listOf,
  listOfText,
  mapOf,
  MAX_MILLISECONDS,
  milliseconds,
  millisecondsFrom,
  notBlank,
  nameProblem,
  type NameRule,
  notEmpty,
  number,
  oneField,
  oneOf,
  type ShapeValue,
  type ShapeProblem,
  text,
  textOr,
  textsByName,
  wholeNumber,
} from './shape.ts';
export { shorten } from './field-path.ts';
export { syntaxMessage } from './syntax-message.ts';

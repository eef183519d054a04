export { findFault, type InputForm, type SchemaFault } from './find-fault.ts'
export { parseInstant } from './instant.ts'
export { findJsonExcess, type JsonLimits } from './json-limits.ts'
export { toName } from './name.ts'
export {
  closed,
  enumOf,
  extensionKeyword,
  ignoredKeyword,
  instantKeyword,
  nameKeyword,
  nameText,
  type Static,
  sha256,
  type TSchema,
  Type,
  text,
} from './schema.ts'

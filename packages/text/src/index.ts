export { caselessKey, compositeKey } from './composite-key.ts'
export { csvField } from './csv-field.ts'
export { compareDottedVersions, compareVersions } from './versions.ts'
export { isDeceptive, visibleJson, visibleLine, visibleLines, visibleText } from './visible-text.ts'

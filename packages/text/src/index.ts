export { caselessKey, compositeKey } from './composite-key.ts'
export { csvField } from './csv-field.ts'
export { isDeceptive, visibleJson, visibleLine, visibleLines, visibleText } from './visible-text.ts'

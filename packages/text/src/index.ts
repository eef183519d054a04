export { caselessKey, compositeKey } from './composite-key.ts'
export { isDeceptive, visibleJson, visibleLine, visibleText } from './visible-text.ts'

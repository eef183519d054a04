export { isDeceptive, visibleJson, visibleLine, visibleText } from './visible-text.ts'

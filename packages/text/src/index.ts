export { visibleJson, visibleLine, visibleText } from './visible-text.ts'

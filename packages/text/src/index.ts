export { visibleLine, visibleText } from './visible-text.ts'

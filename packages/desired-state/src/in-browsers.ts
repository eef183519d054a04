// What reads a desired state without a file system, for the console.
export { CatalogCommandError } from './catalog-command-error.ts'
export { listMistakes } from './describe-problem.ts'
export { joinStateFiles, type ReadState, type StateDocument } from './state-files.ts'
export type { StatePlaces } from './state-places.ts'
export { isYamlName, parseYamlText, toYamlText } from './yaml-text.ts'

export { CatalogCommandError } from './catalog-command-error.ts'
export {
  type CallService,
  callsThrough,
  connectToService,
  findInsecureWarning,
} from './service-client.ts'
export {
  applyStateFolder,
  exportStateFolder,
  planStateFolder,
  requireUnblocked,
  type StateOptions,
  type StatePlanAnswer,
} from './state-commands.ts'
export { readStateFolder } from './state-folder.ts'
export { isStateFolder } from './state-path.ts'
export { describePlace, type YamlFile } from './state-places.ts'
export { documentSections } from './write-state-folder.ts'
export { listYamlFiles, readYamlFile } from './yaml-files.ts'
export { toValues } from './yaml-text.ts'

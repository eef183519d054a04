// Files of a desired state have one implementation, which `npm run catalog` on the server uses too.
export { CatalogCommandError, callsThrough } from '../../../server/src/cli/catalog/service-client.ts'
export {
  applyStateFolder,
  exportStateFolder,
  planStateFolder,
  requireUnblocked,
  type StateOptions,
  type StatePlanAnswer,
} from '../../../server/src/cli/catalog/state-commands.ts'
export { isStateFolder } from '../../../server/src/cli/catalog/state-path.ts'

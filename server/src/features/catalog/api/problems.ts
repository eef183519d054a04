import { problem } from '../../../platform/problem.ts'

export const catalogObjectInUse = problem(
  'CatalogObjectInUse',
  409,
  'Something still uses an object that would be removed or change its nature. Nothing was applied.',
)

export const anotherMasterServer = problem('AnotherMasterServer', 409, 'There can be one master server only.', {
  constraint: 'computers_master_server_key',
})

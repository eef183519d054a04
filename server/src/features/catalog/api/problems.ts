import { problem } from '../../../platform/problem.ts'

export const catalogObjectInUse = problem(
  'CatalogObjectInUse',
  409,
  'An object that would be removed, or whose kind or secrecy would change, is still in use. Nothing was applied; see blockers.',
)

export const anotherMasterServer = problem(
  'AnotherMasterServer',
  409,
  'Only one computer can have the role MasterServer.',
  {
    constraint: 'computers_master_server_key',
  },
)

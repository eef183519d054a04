import { ok, operation } from '../../../../platform/operation.ts'
import { DepotTopologySetting } from './schemas.ts'

export const getDepotTopologySetting = operation({
  id: 'getDepotTopologySetting',
  route: 'GET /api/system/depot-topology-setting',
  summary: 'Get the depot topology setting',
  description: 'While it is active, the tags of a depot decide which packages the depot gets.',
  role: 'package.read',
  returns: ok(DepotTopologySetting),
  handle: ({ db }) =>
    db.selectFrom('installation').select('is_depot_topology_active as isActive').executeTakeFirstOrThrow(),
})

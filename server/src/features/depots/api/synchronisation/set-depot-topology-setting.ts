import { ok, operation } from '../../../../platform/operation.ts'
import { getDepotTopologySetting } from './get-depot-topology-setting.ts'
import { DepotTopologySetting } from './schemas.ts'

export const setDepotTopologySetting = operation({
  id: 'setDepotTopologySetting',
  route: 'PUT /api/system/depot-topology-setting',
  summary: 'Switch on or off that tags decide which packages a depot gets',
  description: 'Tags can be managed in either case.',
  role: 'package.write',
  body: DepotTopologySetting,
  returns: ok(DepotTopologySetting),
  changes: getDepotTopologySetting,
  handle: ({ body, db }) =>
    db
      .updateTable('installation')
      .set({ is_depot_topology_active: body.isActive })
      .returning('is_depot_topology_active as isActive')
      .executeTakeFirstOrThrow(),
})

import { ok, operation } from '../../../../platform/operation.ts'
import { getDepotTopologySetting } from './get-depot-topology-setting.ts'
import { DepotTopologySetting } from './schemas.ts'

export const setDepotTopologySetting = operation({
  id: 'setDepotTopologySetting',
  route: 'PUT /api/system/depot-topology-setting',
  summary: 'Change the depot topology setting',
  description:
    'While it is active, a depot gets the packages with one of its tags or with the tag Global; otherwise it gets all ' +
    'packages. A change takes effect at the next synchronisation of each depot. Tags can be managed in either case.',
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

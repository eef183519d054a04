import { ok, operation } from '../../../platform/operation.ts'
import { slaColumns } from '../patch-sla.ts'
import { getPatchSla } from './get-patch-sla.ts'
import { PatchSla } from './sla-schemas.ts'

export const setPatchSla = operation({
  id: 'setPatchSla',
  route: 'PUT /api/patch-sla',
  summary: 'Change within how many days patches of each severity have to be installed',
  description:
    'The compliance of a computer follows at once, that of groups and of the fleet with the next count. The days count from the ' +
    'release that catalogs and advisories state, and for a patch that only scans have reported from its first report.',
  role: 'pm.approve',
  body: PatchSla,
  returns: ok(PatchSla),
  changes: getPatchSla,
  extension: true,
  handle: ({ body, db }) =>
    db
      .updateTable('installation')
      .set({
        sla_critical_days: body.critical,
        sla_important_days: body.important,
        sla_moderate_days: body.moderate,
        sla_low_days: body.low,
        sla_unrated_days: body.unrated,
      })
      .returning(slaColumns)
      .executeTakeFirstOrThrow(),
})

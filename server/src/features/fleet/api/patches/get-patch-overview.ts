import { ok, operation } from '../../../../platform/operation.ts'
import { countBySeverityAndAge, findFleetCompliance, listGroupCompliance } from '../../patches/patch-overview.ts'
import { getStateAge } from '../../state-age.ts'
import { PatchOverview } from './schemas.ts'

export const getPatchOverview = operation({
  id: 'getPatchOverview',
  route: 'GET /api/fleet/patch-overview',
  summary: 'Count missing patches by severity and age, and compliant computers by group',
  description:
    'As of the last count of the fleet, which `calculatedAtUtc` dates. A computer is compliant if its last patch scan ' +
    'found no missing security patch.',
  role: 'pm.read',
  extension: true,
  returns: ok(PatchOverview),
  async handle({ db }) {
    return {
      fleet: await findFleetCompliance(db),
      cells: await countBySeverityAndAge(db),
      groups: await listGroupCompliance(db),
      ...(await getStateAge(db)),
    }
  },
})

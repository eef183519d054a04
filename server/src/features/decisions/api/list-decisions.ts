import { ok, operation } from '../../../platform/operation.ts'
import { findExpiringCertificates } from '../expiring-certificates.ts'
import { listWaiting } from '../list-waiting.ts'
import { Decisions } from './schemas.ts'

export const listDecisions = operation({
  id: 'listDecisions',
  route: 'GET /api/fleet/decisions',
  summary: 'List what waits for the decision of a person',
  description:
    'Each caller sees what its roles let it see: paused rollouts and depots that are away with computer.read, as well as requests ' +
    'for packages; packages that fail on three computers or more, and on 5 % of them, with package.read; rules of groups that ' +
    'have stopped with group.read; agents in quarantine, approvals, accesses that end within 14 days, certificates of the ' +
    'service that end within 21 days and stopped webhooks with admin.manage.',
  role: 'any valid token',
  extension: true,
  returns: ok(Decisions),
  async handle({ db, caller, services }) {
    const { roles } = caller.principal
    const certificates = roles.has('admin.manage') ? await findExpiringCertificates(services.configuration) : []
    return { decisions: [...(await listWaiting(db, roles)), ...certificates] }
  },
})

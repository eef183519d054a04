import { activateGroup } from '../../server/src/features/deployments/api/group-activation/activate-group.ts'
import { refreshFleetStatistics } from '../../server/src/features/issues/fleet-statistics.ts'
import { deploymentsIn } from '../../server/test/deployments/deployment-world.ts'
import type { World } from '../../server/test/world/open-world.ts'

const outputs = [
  'Unpacking\ncannot write /var/lib/editor/17: no space left on device',
  'cannot write /srv/editor/4: no space left on device',
  'cannot write /opt/editor/99: no space left on device',
  'setup: access denied',
]

/** Five computers of a group with a package that fails on four of them, for two reasons. */
export async function failingFleet({ as, db, given }: World) {
  const { deployment, setupError } = deploymentsIn(db, given)
  const released = { is_operational: true, hash_state: 'Current' }
  const group = await given.group({ name: 'Berlin' })
  const editor = await given.package({ name: 'Editor', package_name: 'editor', version: '1.0', ...released })
  const newer = await given.package({ name: 'Editor', package_name: 'editor', version: '2.0', ...released })
  await given.assignment(group, editor, 'package')
  const computers = []
  for (let at = 0; at <= outputs.length; at++) {
    const computer = await given.computer({ name: `till-${at}`, domain: 'example.org', lastSeen: new Date() })
    await given.member(group, computer)
    computers.push(computer)
  }
  await as('activation.execute').call(activateGroup, { params: { id: group.id }, body: { software: true } })
  await db.deleteFrom('work').execute()
  await db.deleteFrom('deployments').execute()
  for (const [at, computer] of computers.entries()) {
    const output = outputs[at]
    const result = output === undefined ? 'Success' : 'Failed'
    await deployment(computer, editor, { result, failed_at: output === undefined ? null : new Date() })
    if (output !== undefined) await setupError(computer, editor, { exit_code: 1603, output })
  }
  await refreshFleetStatistics(db)
  return { group, editor, newer, computers }
}

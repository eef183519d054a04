import type { Database } from '../../database/connect.ts'
import { hasOnlyOfflineDepots } from '../depots/depots-of-computer.ts'
import type { ComputerExplanation } from './api/schemas.ts'

type Notice = ComputerExplanation['notices'][number]

/** What does not stop the hand-out, but may delay an installation. */
export async function listNotices(db: Database, computerId: number): Promise<Notice[]> {
  const notices: Notice[] = []
  const agent = await db
    .selectFrom('agents')
    .select(['is_reboot_required', 'reboot_required_source'])
    .where('computer_id', '=', computerId)
    .executeTakeFirst()
  if (agent?.is_reboot_required) {
    const source = agent.reboot_required_source ? ` after ${agent.reboot_required_source}` : ''
    notices.push({ reason: 'RebootRequired', message: `The computer needs a reboot${source}.` })
  }
  if (await hasOnlyOfflineDepots(db, computerId))
    notices.push({
      reason: 'NoDepotOnline',
      message: 'No depot of the computer is online. It downloads from the master server.',
    })
  return notices
}

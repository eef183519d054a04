import type { PatchSource } from '../../reports.ts'
import { computer } from '../computer.ts'
import { installUpdates } from './install-updates.ts'
import { toPatchScan } from './scanned-patches.ts'
import { openUpdateAgent, type UpdateAgent } from './update-agent.ts'

/** The patches of this computer, by the Windows Update Agent and the update server that it is configured for. */
export const patches: PatchSource = {
  unavailable: 'it has no Windows Update Agent',
  scan: () =>
    withUpdateAgent(async (agent) => {
      const updates = await agent.search()
      // The scan is valid without the dates.
      const history = await agent.history().catch(() => [])
      return toPatchScan(updates, history, await computer.productName(), new Date())
    }),
  install: (released, onProgress) =>
    withUpdateAgent(async (agent) => installUpdates(agent, released, await computer.productName(), onProgress)),
}

async function withUpdateAgent<T>(use: (agent: UpdateAgent) => Promise<T>): Promise<T> {
  const agent = await openUpdateAgent()
  try {
    return await use(agent)
  } finally {
    agent.close()
  }
}

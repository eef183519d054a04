import { join } from 'node:path'
import type { Paths } from '../platform.ts'
import { dataFolderPath } from './data-folder-path.ts'
import { requireOwnFolderIfPresent } from './own-folder.ts'

let isOwn = false

/**
 * The data folder, which only SYSTEM and administrators can read. Throws if it belongs to others: every user can create it before
 * the agent is installed. As this is the only way to the folder, nothing uses its content before the check.
 */
export function dataFolder(): string {
  const path = dataFolderPath()
  // A folder that does not exist yet may be created by anybody until the next call.
  if (!isOwn) isOwn = requireOwnFolderIfPresent(path)
  return path
}

export const paths: Paths = {
  state: dataFolder,
  get configuration() {
    return join(dataFolder(), 'agent.env')
  },
}

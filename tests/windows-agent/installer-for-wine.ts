import { execFile } from 'node:child_process'
import { copyFile, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Wine } from '../../agent/test/windows/wine.ts'

const run = promisify(execFile)

/** While Windows removes an earlier version, this property is set. Wine does not set it: a variable stands in for it. */
export const upgrading = { UPGRADINGPRODUCTCODE: 'yes' }

/** A copy of an installer that reads the variable in place of the property. */
export async function installerForWine({ root }: Pick<Wine, 'root'>, installer: string): Promise<string> {
  const copy = join(await mkdtemp(join(root, 'installer-')), 'muster-agent.msi')
  await copyFile(installer, copy)
  const { stdout } = await run('msiinfo', ['export', copy, 'InstallExecuteSequence'])
  const condition = /^RemoveState\t(.*)\t\d+\r?$/m.exec(stdout)?.[1]
  if (!condition?.includes(' UPGRADINGPRODUCTCODE')) throw new Error('An update would remove the state of the agent.')
  const changed = condition.replace(' UPGRADINGPRODUCTCODE', ' %UPGRADINGPRODUCTCODE')
  const query = `UPDATE \`InstallExecuteSequence\` SET \`Condition\` = '${changed}' WHERE \`Action\` = 'RemoveState'`
  await run('msibuild', [copy, '-q', query])
  return copy
}

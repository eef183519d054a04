import type { Configuration } from '../../platform/configuration.ts'
import type { FileToSend } from '../../platform/http/send-file.ts'
import { openContent, packageFileMissing } from '../packages/content/open-content.ts'
import type { AgentFile, AgentPackage } from './agent-package.ts'

/** Opens a file of a package of the agent, to be sent. */
export async function openAgentFile(
  { packageStore }: Pick<Configuration, 'packageStore'>,
  { folder }: AgentPackage,
  found: AgentFile,
): Promise<FileToSend> {
  const { sha256, size } = found
  const file = await openContent(packageStore, { ...found, folder })
  if (!file) throw packageFileMissing({ sha256 })
  return { file, size, etag: `"${sha256}"` }
}

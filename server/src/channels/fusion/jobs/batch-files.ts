import { findBatchFileFault, isBatchFile } from '@muster/package-format'
import type { PackageContent } from '../../../features/deployments/started-work/package-content.ts'
import { openStoredContent } from '../../../features/packages/content/open-content.ts'

/**
 * Why a batch file of a package would run parts of a value as commands; undefined if none would. The import refuses such files,
 * but has not always done so.
 */
export async function findBatchFault(
  store: string,
  { files }: Pick<PackageContent, 'files'>,
): Promise<string | undefined> {
  for (const file of files.filter(isBatchFile)) {
    const content = await openStoredContent(store, file)
    if (!content) return `The file ${file.path} of the package is missing from the package store.`
    const fault = await findBatchFileFault(file.size, () => content.readFile()).finally(() => content.close())
    if (fault) return `The file ${file.path} of the package ${fault}.`
  }
  return undefined
}

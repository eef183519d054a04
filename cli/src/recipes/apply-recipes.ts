import { answerOf, type components } from '@muster/client'
import type { Call } from '../command.ts'
import { sendFile } from '../commands/send-file.ts'
import { waitForImport } from '../commands/wait-for-import.ts'
import { CommandFailure } from '../errors.ts'
import { labelOf, type PlannedRecipe } from './plan-recipes.ts'

/**
 * Makes the packages of the plan, one after the other. Each import happens as a whole or not at all. After a failure nothing more is
 * imported, and the next run continues.
 */
export async function applyRecipes(call: Call, planned: readonly PlannedRecipe[]): Promise<number> {
  const changes = planned.filter(({ action }) => action !== 'None')
  for (const [done, recipe] of changes.entries()) {
    const job = await waitForImport(call, await startImport(call, recipe))
    if (job.status === 'Failed')
      throw new CommandFailure([
        `${recipe.name}: The import of ${labelOf(recipe)} failed: ${job.message}`,
        `${done} of ${changes.length} packages were imported. Repeat the command to continue.`,
      ])
  }
  return changes.length
}

/** Starts the import with the operation for packages of this origin, and returns its tracking id. */
async function startImport(call: Call, recipe: PlannedRecipe): Promise<string> {
  const { client } = call
  const { file, local, content, action } = recipe
  const manifest = content.manifest as Record<string, unknown>
  const overwrite = action === 'Change'
  if (!file) {
    const { kind: _, $schema: __, ...stated } = manifest
    const body = { ...stated, overwrite } as components['schemas']['RepositoryPackageRequest']
    return (await answerOf(client.POST('/api/packages/from-repository', { body }))).trackingId
  }
  if (local) {
    const { id } = await sendFile(call, local.path)
    const body = { manifest, fileName: file.name, overwrite }
    const sent = client.POST('/api/package-uploads/{id}/package', { params: { path: { id } }, body })
    return (await answerOf(sent)).trackingId
  }
  const { name: fileName, url = '', sha256 = '' } = file
  const body = { url, sha256, fileName, manifest, overwrite }
  return (await answerOf(client.POST('/api/packages/from-url', { body }))).trackingId
}

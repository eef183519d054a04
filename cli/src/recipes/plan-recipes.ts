import { answerOf, type components } from '@muster/client'
import type { Call } from '../command.ts'
import { CommandFailure } from '../errors.ts'
import { formatCount } from '../output/counts.ts'
import type { ReadRecipe } from './read-recipes.ts'

type Comparison = components['schemas']['PackageRecipeComparison']

export type PlannedRecipe = ReadRecipe & Omit<Comparison, 'blockers'> & { blockers: string[] }

/** The service accepts this many at once. */
const recipesPerRequest = 200

/** Compares the recipes with the packages of the service. */
export async function planRecipes({ client }: Call, recipes: readonly ReadRecipe[]): Promise<PlannedRecipe[]> {
  const planned: PlannedRecipe[] = []
  for (let from = 0; from < recipes.length; from += recipesPerRequest) {
    const batch = recipes.slice(from, from + recipesPerRequest)
    const body = { recipes: batch.map(toCompared) }
    const { items } = await answerOf(client.POST('/api/packages/recipes/plan', { body }))
    if (items.length !== batch.length) throw new CommandFailure('The service did not answer about every recipe.')
    for (const [at, recipe] of batch.entries()) planned.push(toPlanned(recipe, items[at] as Comparison))
  }
  return planned
}

/** With the hash of the file that is here, and with an address only if the service has to download it. */
function toCompared({ content, file, local }: ReadRecipe): Record<string, unknown> {
  if (!file) return content
  const { url, ...named } = file
  return {
    ...content,
    file: local ? { ...named, sha256: local.sha256 } : { ...named, ...(url !== undefined && { url }) },
  }
}

function toPlanned(recipe: ReadRecipe, { blockers, ...comparison }: Comparison): PlannedRecipe {
  const { file, local, placeOf } = recipe
  const isFileMissing = comparison.action !== 'None' && file && !local && file.url === undefined
  const reasons = blockers.map(
    ({ property, reason }) => `${placeOf(property ?? '')}: ${[property, reason].filter(Boolean).join(' ')}`,
  )
  const missing = `${placeOf('file.name')}: The file ${file?.name} is needed. Put it beside the recipe, or name its folder with --files.`
  return { ...recipe, ...comparison, blockers: isFileMissing ? [...reasons, missing] : reasons }
}

export const labelOf = ({ manifest: { name, version, revision, operatingSystems } }: ReadRecipe) =>
  `${name} ${version}${revision === undefined ? '' : `, revision ${revision}`} for ${operatingSystems.join(', ')}`

/** A line for each change, what blocks it, and a sum. */
export function describePlan(planned: readonly PlannedRecipe[]): string[] {
  const changes = planned.filter(({ action }) => action !== 'None')
  const count = (wanted: PlannedRecipe['action']) => planned.filter(({ action }) => action === wanted).length
  return [
    ...changes.flatMap((one) => [
      `${one.action.toLowerCase().padEnd(6)} ${labelOf(one)} (${describeChange(one)})`,
      ...one.blockers.map((blocker) => `  blocked: ${blocker}`),
    ]),
    `Planned: ${count('Add')} added, ${count('Change')} changed, ${count('None')} unchanged.`,
  ]
}

function describeChange({ action, fields, file, local, name }: PlannedRecipe): string {
  const origin = !file ? undefined : local ? `uploads ${local.path}` : file.url && `the service downloads ${file.url}`
  return [name, action === 'Change' ? fields.join(', ') : undefined, origin].filter(Boolean).join('; ')
}

/** Throws if the plan cannot be applied so that a pipeline fails. */
export function requireUnblocked(planned: readonly PlannedRecipe[]): void {
  const blocked = planned.filter(({ blockers }) => blockers.length > 0)
  if (blocked.length > 0)
    throw new CommandFailure(
      `${formatCount(blocked.length, 'recipe')} ${blocked.length === 1 ? 'is' : 'are'} blocked. Nothing was changed.`,
    )
}

/** What the format json shows. */
export const toJson = (planned: readonly PlannedRecipe[]) =>
  planned.map(({ name, manifest, action, packageId, fields, blockers }) => ({
    ...{ recipe: name, name: manifest.name, version: manifest.version, action, packageId, fields, blockers },
  }))
